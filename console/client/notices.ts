/** Short messages at the edge of the page, told by whatever does something: the shell shows them. */

/** By which requests it was done: one, or several that are undone together, the last one first. */
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
/** Of several, what could not be done, and why: stays until it is closed. */
export const notifyRefused = (title: string, lines: readonly string[]) => notify({ kind: 'refused', title, lines })
export const notifyInfo = (text: string) => notify({ kind: 'info', text })
/** The same undo as stands in the message; of several, as many as are named. */
export const offerUndo = (undo: UndoTarget) => notify({ kind: 'undo', undo })
