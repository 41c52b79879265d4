/** Calls of the server that change something: through the admin interface, and to the faucet. */
import type { LiveState } from "../../report/live-state.ts";

/** Result of a call, in words for people. */
export interface Outcome {
  readonly isDone: boolean;
  readonly text: string;
}

/** Carries something out and shows its outcome; `name` says what, in a few words. A path is of this server, or below `/admin/`. */
export type RunAction = (name: string, path: string, body: object) => Promise<void>;

/** Part of the page whose buttons carry something out. */
export interface ActionProps {
  readonly state: LiveState;
  readonly act: RunAction;
}

/** Names the token of the admin interface in the storage of this tab. */
export const TOKEN_KEY = "quorumlab admin token";

/** Token of the admin interface that was entered in this tab; empty for none. */
export function adminToken(): string {
  return sessionStorage.getItem(TOKEN_KEY) ?? "";
}

/** Posts to a path of this server, which begins with a slash, or to one below `/admin/` of the admin interface. */
export async function post(path: string, body: object, adminUrl: string | undefined): Promise<Outcome> {
  const isOwn = path.startsWith("/");
  const url = isOwn ? path : `${adminUrl ?? ""}/admin/${path}`;
  const token = isOwn ? {} : { "x-admin-token": adminToken() };
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...token },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly message?: string; readonly result?: unknown };
    if (response.ok) return { isDone: true, text: "done" };
    return { isDone: false, text: answer.message ?? `the server answers ${response.status}` };
  } catch (error) {
    return { isDone: false, text: `no answer from ${new URL(url, location.href).origin}: ${String(error)}` };
  }
}

/** Saves the recording so far as a file. */
export async function saveRecording(adminUrl: string): Promise<Outcome> {
  try {
    const response = await fetch(`${adminUrl}/admin/recording`, { headers: { "x-admin-token": adminToken() } });
    if (!response.ok) return { isDone: false, text: `the server answers ${response.status}` };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = "network.ndjson";
    link.click();
    URL.revokeObjectURL(link.href);
    return { isDone: true, text: "saved as network.ndjson" };
  } catch (error) {
    return { isDone: false, text: `no answer from ${adminUrl}: ${String(error)}` };
  }
}
