import Type, { type TSchema } from 'typebox'
import type { Field } from '../../engine/declaration.ts'
import { choice } from '../../engine/field.ts'

/** How somebody takes part in a review: about themselves, or as manager, peer or report of the one reviewed. */
export const ROLES = ['self', 'manager', 'peer', 'report'] as const
export type ParticipantRole = (typeof ROLES)[number]

/** What a question asks for. */
export const QUESTION_KINDS = ['text', 'scale', 'choice'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** `self` → `ReviewParticipantSelf` */
export const longName = (prefix: string, word: string) => `${prefix}${word.charAt(0).toUpperCase()}${word.slice(1)}`

const longNames = (prefix: string, words: readonly string[]) => words.map((word) => longName(prefix, word))

/** A kind that answers call by a long name, and that is sent by either. */
export function kindOf<const W extends string>(
  prefix: string,
  words: readonly W[],
  example: NoInfer<W>,
): Field<W> & { input: TSchema; output: TSchema } {
  const long = new Map(words.map((word) => [longName(prefix, word), word]))
  const spelled = (values: string[]) =>
    Type.Unsafe<string>({ type: 'string', enum: values, examples: [example] }) as TSchema
  return {
    ...choice(words, { required: true }),
    input: spelled([...words, ...long.keys()]),
    output: Type.Unsafe<string>({ type: 'string', enum: longNames(prefix, words) }),
    parse: (sent) => long.get(sent) ?? (sent as W),
    show: (word) => longName(prefix, word),
  }
}
