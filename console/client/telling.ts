/** Short messages at the edge of the page, told by whatever does something: the shell shows them. */

/** By which requests it was done: one, or several that are undone together, the last one first. */
export type Undoing = { requestId: string | readonly string[]; kinds: readonly string[] }
export type Told =
  | { kind: 'done'; text: string; undo: Undoing | undefined }
  | { kind: 'failed'; error: unknown }
  | { kind: 'refused'; title: string; lines: readonly string[] }
  | { kind: 'info'; text: string }
  | { kind: 'undo'; undo: Undoing }

const listeners = new Set<(told: Told) => void>()

export const onTold = (listener: (told: Told) => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const tell = (told: Told) => {
  for (const listener of listeners) listener(told)
}

export const tellDone = (text: string, undo?: Undoing) => tell({ kind: 'done', text, undo })
export const tellFailed = (error: unknown) => tell({ kind: 'failed', error })
/** Of several, what could not be done, and why: stays until it is closed. */
export const tellRefused = (title: string, lines: readonly string[]) => tell({ kind: 'refused', title, lines })
export const tellInfo = (text: string) => tell({ kind: 'info', text })
/** The same undo as stands in the message; of several, as many as are named. */
export const askToUndo = (undo: Undoing) => tell({ kind: 'undo', undo })
