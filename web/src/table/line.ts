/** `Line`: the connection to a table, which comes back by itself. A WebSocket, or a stream with requests where none opens. */

import type { Answer, Command, SocketMessage } from "../lib/api";

export type LineState = "connecting" | "live" | "away";

interface Listener {
  /** The version that the page has, 0 for none: where to go on from. */
  version(): number;
  receive(message: SocketMessage): void;
  changed(state: LineState): void;
}

const PING_EVERY = 10_000;
const PONG_WITHIN = 5_000;
/** A stream speaks at least every 15 seconds. */
const STREAM_SILENCE = 25_000;
const LONGEST_WAIT = 8_000;
/** After so many sockets that never opened, a stream is tried: some networks let no WebSocket through. */
const TRIES = 2;

export class Line {
  private socket: WebSocket | undefined;
  private stream: EventSource | undefined;
  private failures = 0;
  private hasSocket = false;
  private isClosed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private heard = 0;

  constructor(
    private readonly table: string,
    private readonly listener: Listener,
  ) {
    window.addEventListener("online", this.now);
    window.addEventListener("offline", this.lost);
    document.addEventListener("visibilitychange", this.shown);
    this.connect();
  }

  /** Sends a command if the line is live; the answer comes as a message, or never: then it is sent again. */
  send(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    else if (this.stream?.readyState === EventSource.OPEN) void this.post(command);
  }

  /** Connects anew, as another holder of seats. */
  renew(): void {
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    window.removeEventListener("online", this.now);
    window.removeEventListener("offline", this.lost);
    document.removeEventListener("visibilitychange", this.shown);
    this.drop();
  }

  private connect(): void {
    this.drop();
    if (this.isClosed) return;
    this.listener.changed(this.failures ? "away" : "connecting");
    const path = `/api/tables/${encodeURIComponent(this.table)}`;
    const since = `since=${this.listener.version()}`;
    if (!this.hasSocket && this.failures >= TRIES && this.failures % 2 === 0) this.openStream(`${path}/stream?${since}`);
    else this.openSocket(`${location.origin.replace(/^http/, "ws")}${path}/socket?${since}`);
  }

  private openSocket(address: string): void {
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.hasSocket = true;
      this.opened();
      this.ping = setInterval(() => this.check(socket), PING_EVERY);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(event.data);
    socket.onclose = () => this.socket === socket && this.lost();
  }

  private openStream(address: string): void {
    const stream = new EventSource(address);
    this.stream = stream;
    stream.onopen = () => {
      this.heard = Date.now();
      this.opened();
      this.ping = setInterval(() => Date.now() - this.heard > STREAM_SILENCE && this.lost(), PING_EVERY);
    };
    stream.addEventListener("pong", () => (this.heard = Date.now()));
    stream.onmessage = (event: MessageEvent<string>) => this.receive(event.data);
    stream.onerror = () => this.stream === stream && this.lost();
  }

  private opened(): void {
    this.failures = 0;
    this.listener.changed("live");
  }

  private receive(text: string): void {
    this.heard = Date.now();
    const message = JSON.parse(text) as SocketMessage;
    if (message.type !== "pong") this.listener.receive(message);
  }

  /** A network that is gone does not always say so: a ping without an answer does. */
  private check(socket: WebSocket): void {
    const asked = Date.now();
    socket.send('{"type":"ping"}');
    setTimeout(() => {
      if (this.socket === socket && this.heard < asked) this.lost();
    }, PONG_WITHIN);
  }

  private async post(command: Command): Promise<void> {
    try {
      const response = await fetch(`/api/tables/${encodeURIComponent(this.table)}/commands`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(command),
      });
      const answer = (await response.json()) as Answer | { error: string };
      if ("error" in answer) throw new Error(answer.error); // nobody judged it: too many requests, or a proxy
      this.listener.receive({ type: "answer", answer });
    } catch {
      this.lost(); // the command stays with the page, and is sent again with the same id
    }
  }

  private readonly lost = (): void => {
    if (this.isClosed) return;
    this.drop();
    this.failures += 1;
    this.listener.changed("away");
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.failures) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => this.connect(), wait);
  };

  private readonly now = (): void => {
    if (!this.isClosed && !this.isOpen) this.connect();
  };

  private readonly shown = (): void => {
    if (document.visibilityState === "visible") this.now();
  };

  private get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN || this.stream?.readyState === EventSource.OPEN;
  }

  private drop(): void {
    clearTimeout(this.retry);
    clearInterval(this.ping);
    const { socket, stream } = this;
    this.socket = undefined;
    this.stream = undefined;
    socket?.close();
    stream?.close();
  }
}
