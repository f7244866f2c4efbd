/** The service asks who it is before what is worth as much as a password: the shell asks the person, and the request goes on. */

let ask: (() => Promise<boolean>) | undefined
let asking: Promise<boolean> | undefined

export const onIdentityRequest = (one: () => Promise<boolean>) => {
  ask = one
  return () => {
    ask = undefined
  }
}

/** Says whether the person has shown who they are; requests that wait for it at the same time ask once. */
export function confirmIdentity(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
