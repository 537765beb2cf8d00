/**
 * `Connection`: the connection to a table, or to another stream. It reconnects after a failure. It is a WebSocket or, on networks that block
 * those, an event stream with a request for each command; a table in this browser needs neither.
 */

import { type Answer, type Command, type KeptDice, post, type Reaction, type SocketMessage } from "../lib/api";
import { isLocalTable } from "../lib/offline.svelte";

/** `asking`: a command has no answer yet, and the server is asked whether it is there. */
export type ConnectionState = "connecting" | "live" | "asking" | "away";

interface Listener {
  /** The version of the table that the page has; 0 for none. Updates continue from it. */
  version(): number;
  receive(message: SocketMessage): void;
  changed(state: ConnectionState): void;
}

const PING_INTERVAL = 10_000;
/** The server is silent if it sends nothing for so long when it should; longer after each time that it was only slow. */
const PATIENCE = 2_000;
const MAX_PATIENCE = 16_000;
/** The server sends something on a stream at least every 15 seconds. */
const STREAM_TIMEOUT = 25_000;
const MAX_WAIT = 8_000;
/** Within this time pages leave a server that stops. */
const MOVE_TIME = 500;
/** After this many sockets that never opened, every other attempt is a stream. */
const SOCKET_TRIES = 2;

export class Connection {
  private socket: WebSocket | undefined;
  private stream: EventSource | undefined;
  private failures = 0;
  private hasSocket = false;
  private isClosed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private lastReceived = 0;
  private patience = PATIENCE;
  private isAsking = false;
  /** Ends following a table in this browser. */
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly table: string,
    private readonly listener: Listener,
    /** Of tables, or of streams of any kind, to which nothing is sent. */
    private readonly base: "/api/tables" | "/api/streams" = "/api/tables",
  ) {
    if (isLocalTable(table)) {
      void this.follow();
      return;
    }
    window.addEventListener("online", this.onOnline);
    window.addEventListener("offline", this.onLost);
    document.addEventListener("visibilitychange", this.onVisible);
    this.connect();
  }

  /** Sends a command if the connection is live. The answer arrives as a message, or never: then the page sends it again. */
  send(command: Command): void {
    if (this.unfollow) void this.sendLocally(command);
    else if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(command));
      this.ifSilent(this.socket, (socket) => {
        this.isAsking = true;
        this.listener.changed("asking");
        this.check(socket);
      });
    } else if (this.stream?.readyState === EventSource.OPEN) void this.post(command);
  }

  /** Shows the others the dice that this user keeps, if the connection is live. A lost message does no harm. */
  keep(kept: KeptDice): void {
    this.tell("kept", kept);
  }

  /** Shows everybody a reaction, if the connection is live. */
  react(reaction: Reaction): void {
    this.tell("reactions", reaction);
  }

  /** Connects again, with the seats that this browser has now. */
  reconnect(): void {
    if (!isLocalTable(this.table)) this.connect();
  }

  close(): void {
    this.isClosed = true;
    this.unfollow?.();
    window.removeEventListener("online", this.onOnline);
    window.removeEventListener("offline", this.onLost);
    document.removeEventListener("visibilitychange", this.onVisible);
    this.drop();
  }

  /** Follows a table in this browser, which is there for as long as the page. */
  private async follow(): Promise<void> {
    try {
      const { follow } = await import("./transport");
      this.unfollow = await follow(this.table, this.listener.version(), (message) => this.isClosed || this.listener.receive(message));
      if (this.isClosed) this.unfollow();
      else this.listener.changed("live");
    } catch {
      this.listener.changed("away"); // the request for the table tells the reason
    }
  }

  private async sendLocally(command: Command): Promise<void> {
    const { send } = await import("./transport");
    this.listener.receive({ type: "answer", answer: await send(this.table, command) });
  }

  /** Sends something that is not stored and has no answer. */
  private tell(path: string, message: KeptDice | Reaction): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (this.stream?.readyState === EventSource.OPEN) post(`/api/tables/${encodeURIComponent(this.table)}/${path}`, message).catch(() => undefined);
  }

  private connect(): void {
    this.drop();
    if (this.isClosed) return;
    this.listener.changed(this.failures ? "away" : "connecting");
    const path = `${this.base}/${encodeURIComponent(this.table)}`;
    const since = `since=${this.listener.version()}`;
    if (!this.hasSocket && this.failures >= SOCKET_TRIES && this.failures % 2 === 0) this.openStream(`${path}/stream?${since}`);
    else this.openSocket(`${location.origin.replace(/^http/, "ws")}${path}/socket?${since}`);
  }

  private openSocket(address: string): void {
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () => {
      this.hasSocket = true;
      this.opened();
      this.ping = setInterval(() => this.check(socket), PING_INTERVAL);
    };
    socket.onmessage = (event: MessageEvent<string>) => this.receive(event.data);
    socket.onclose = () => this.socket === socket && this.onLost();
  }

  private openStream(address: string): void {
    const stream = new EventSource(address);
    this.stream = stream;
    stream.onopen = () => {
      this.lastReceived = performance.now();
      this.opened();
      this.ping = setInterval(() => performance.now() - this.lastReceived > STREAM_TIMEOUT && this.onLost(), PING_INTERVAL);
    };
    stream.addEventListener("pong", () => (this.lastReceived = performance.now()));
    stream.onmessage = (event: MessageEvent<string>) => this.receive(event.data);
    stream.onerror = () => this.stream === stream && this.onLost();
  }

  private opened(): void {
    this.failures = 0;
    this.listener.changed("live");
  }

  private receive(text: string): void {
    this.lastReceived = performance.now();
    const message = JSON.parse(text) as SocketMessage;
    if (this.isAsking) {
      this.isAsking = false;
      this.listener.changed("live");
    }
    if (message.type === "farewell") this.moveOn();
    else if (message.type !== "pong") this.listener.receive(message);
  }

  /** The server stops: connects to another one. The time differs between pages, so that not all of them come at once. */
  private moveOn(): void {
    this.drop();
    this.listener.changed("connecting");
    this.retry = setTimeout(() => this.connect(), Math.random() * MOVE_TIME);
  }

  /** Detects a lost network that closes no socket: a ping gets no answer. */
  private check(socket: WebSocket): void {
    socket.send('{"type":"ping"}');
    this.ifSilent(socket, () => {
      this.patience = Math.min(MAX_PATIENCE, 2 * this.patience);
      this.onLost();
    });
  }

  /** Calls `then` if the server sends nothing soon. */
  private ifSilent(socket: WebSocket, then: (socket: WebSocket) => void): void {
    const sent = performance.now();
    setTimeout(() => {
      if (this.socket !== socket) return;
      if (this.lastReceived < sent) then(socket);
      else if (this.lastReceived < sent + PATIENCE) this.patience = PATIENCE;
    }, this.patience);
  }

  private async post(command: Command): Promise<void> {
    try {
      const response = await fetch(`/api/tables/${encodeURIComponent(this.table)}/commands`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(command),
      });
      const answer = (await response.json()) as Answer | { error: string };
      if ("error" in answer) throw new Error(answer.error); // not decided: too many requests, or a proxy's error
      this.listener.receive({ type: "answer", answer });
    } catch {
      this.onLost(); // the outbox keeps the command, and sends it again with the same id
    }
  }

  private readonly onLost = (): void => {
    if (this.isClosed) return;
    this.drop();
    this.failures += 1;
    this.listener.changed("away");
    const wait = Math.min(MAX_WAIT, 250 * 2 ** this.failures) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => this.connect(), wait);
  };

  private readonly onOnline = (): void => {
    if (this.isClosed) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.check(this.socket);
    else if (this.stream?.readyState !== EventSource.OPEN) this.connect();
  };

  private readonly onVisible = (): void => {
    if (document.visibilityState === "visible") this.onOnline();
  };

  private drop(): void {
    clearTimeout(this.retry);
    clearInterval(this.ping);
    this.isAsking = false;
    const { socket, stream } = this;
    this.socket = undefined;
    this.stream = undefined;
    socket?.close();
    stream?.close();
  }
}
