/**
 * The service asks users to confirm who they are before sensitive operations. The shell shows the dialog, and then the
 * request is repeated.
 */

let ask: (() => Promise<boolean>) | undefined
let asking: Promise<boolean> | undefined

export const onIdentityRequest = (one: () => Promise<boolean>) => {
  ask = one
  return () => {
    ask = undefined
  }
}

/** Has the user confirmed? Requests that wait at the same time share one dialog. */
export function confirmIdentity(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
