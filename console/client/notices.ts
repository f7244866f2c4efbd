/** Short messages at the edge of the page. Any code can send them; the shell shows them. */

/** The request to undo, or several that are undone together, the last one first. */
export type UndoTarget = { requestId: string | readonly string[]; kinds: readonly string[] }
export type Notice =
  | { kind: 'done'; text: string; undo: UndoTarget | undefined }
  | { kind: 'failed'; error: unknown }
  | { kind: 'refused'; title: string; lines: readonly string[] }
  | { kind: 'info'; text: string }
  | { kind: 'undo'; undo: UndoTarget }

const listeners = new Set<(told: Notice) => void>()

export const onNotice = (listener: (told: Notice) => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const notify = (told: Notice) => {
  for (const listener of listeners) listener(told)
}

export const notifyDone = (text: string, undo?: UndoTarget) => notify({ kind: 'done', text, undo })
export const notifyFailed = (error: unknown) => notify({ kind: 'failed', error })
/** Of several changes, the ones that failed, and why. The message stays until the user closes it. */
export const notifyRefused = (title: string, lines: readonly string[]) => notify({ kind: 'refused', title, lines })
export const notifyInfo = (text: string) => notify({ kind: 'info', text })
/** Undoes the same requests as the button in the message does. */
export const offerUndo = (undo: UndoTarget) => notify({ kind: 'undo', undo })
