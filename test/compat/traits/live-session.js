/** The state of a module that flows of other modules use. */
export const session = { headers: {} };

/** @type {(id: number) => void} */
export function completeSession(id) {
  session.headers.authorization = `Bearer ${id}`;
}
