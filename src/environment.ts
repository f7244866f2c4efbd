import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The environment file that a deployment's service and its commands share. */
export const ENVIRONMENT_FILE = '/etc/cadre/environment'

type Environment = Record<string, string | undefined>

/**
 * Sets the variables of an environment file that the process does not have yet, and returns which file it was: the given
 * one, or the usual one where it exists. So commands find the database that the service has.
 */
export function readEnvironment(
  { given, isService = false }: { given?: string | undefined; isService?: boolean },
  environment: Environment = process.env,
  usual = ENVIRONMENT_FILE,
): string | undefined {
  const file = given ?? (existsSync(usual) ? usual : undefined)
  if (file === undefined) return undefined
  const text = textOf(file)
  if (typeof text !== 'string') {
    // A supervisor reads it for the service, as another user. A command would work with another database than that one.
    if (given === undefined && (isService || environment.DATABASE_URL)) return undefined
    const hint =
      given === undefined ? '. Run this command as a user who can read it, or pass another file with --env-file' : ''
    throw new Error(`cannot read the environment file ${file}: ${text.message}${hint}`)
  }
  for (const [name, value] of Object.entries(parseEnv(text))) environment[name] ??= value
  return file
}

function textOf(file: string): string | Error {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return error as Error
  }
}
