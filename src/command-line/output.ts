/** A function that prints a line. */
export const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Ends the command: the message is printed to stderr, and the exit code is 1. */
export function fail(reason: string): never {
  throw new Error(reason)
}
