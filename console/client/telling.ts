/** Short messages at the edge of the page, told by whatever does something: the shell shows them. */

export type Undoing = { requestId: string; kinds: readonly string[] }
export type Told =
  | { kind: 'done'; text: string; undo: Undoing | undefined }
  | { kind: 'failed'; error: unknown }
  | { kind: 'info'; text: string }

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
export const tellInfo = (text: string) => tell({ kind: 'info', text })
