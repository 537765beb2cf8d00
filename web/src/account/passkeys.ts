/** Passkeys: what the server asks for, and what the browser answers, both as JSON. */

import { type AccountView, type PasskeyOptionsView, post } from "../lib/api";

/** Whether this browser has passkeys in the form that the server uses. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== "undefined" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Creates a passkey: of a new account with this name, or a further one of the own account. */
export async function createPasskey(name: string): Promise<AccountView> {
  const { options } = await post<PasskeyOptionsView>("/api/account/passkeys/options", { name });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as unknown as PublicKeyCredentialCreationOptionsJSON);
  return post<AccountView>("/api/account/passkeys", { credential: json(await navigator.credentials.create({ publicKey })) });
}

/** Signs in with any passkey of this server. */
export async function signIn(): Promise<AccountView> {
  const { options } = await post<PasskeyOptionsView>("/api/account/session/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as unknown as PublicKeyCredentialRequestOptionsJSON);
  return post<AccountView>("/api/account/session", { credential: json(await navigator.credentials.get({ publicKey })) });
}

function json(credential: Credential | null): unknown {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : null;
}

/** Whether the user closed the browser's dialog, or it took too long. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof DOMException && ["AbortError", "NotAllowedError", "InvalidStateError"].includes(error.name);
}
