/**
 * Words and phrases that texts for people do not contain, each with what to write instead. They are archaic, literal or
 * coy: a reader stumbles over them, and there is always a plainer way to say it. Every check of texts uses this list.
 */
export const BANNED: readonly { pattern: RegExp; instead: string }[] = [
  // Pronouns and turns of phrase that hide who does what
  { pattern: /\bwhoever\b/i, instead: 'name the person: "anybody who", "the user", "people who"' },
  { pattern: /\bwhosoever\b|\bwhomsoever\b/i, instead: 'name the person' },
  { pattern: /\bwhom\b/i, instead: 'name the person: "the people it covers"' },
  { pattern: /\bone['’]s\b/i, instead: '"your", or name the owner' },
  { pattern: /\boneself\b/i, instead: '"yourself", or name the person' },
  { pattern: /\b(?:is|are|was|were|be|been) told\b/i, instead: '"is shown", "is notified", "appears"' },
  { pattern: /\btells? (?:of|what|who|whether|that|how|where|since)\b/i, instead: '"shows", "lists", "says"' },
  { pattern: /\bas far as (?:it|that) goes\b/i, instead: 'leave it out' },
  { pattern: /\bsay(?:s)? so\b/i, instead: 'state what is said' },

  // Things that stand, lie, hold and go
  { pattern: /\bstands?\b(?!-)/i, instead: '"is", "applies", "remains"' },
  { pattern: /\b(?:lies|lie|lay) (?:in|on|below|above|beyond|between)\b/i, instead: '"is in", "is after"' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: '"continues"' },
  {
    pattern: /\b(?:it|they|that|which) (?:still )?holds?\b(?! (?:a|an|the|more|no)\b)/i,
    instead: '"applies", "is valid"',
  },
  { pattern: /\bholds? on\b/i, instead: '"continues"' },
  { pattern: /\bfor good and all\b/i, instead: '"permanently"' },
  { pattern: /\bis at hand\b/i, instead: '"is available"' },

  // Archaic words
  { pattern: /\bbesides?\b/i, instead: '"next to", "in addition", "together with"' },
  { pattern: /\bbut for\b/i, instead: '"except for"' },
  { pattern: /\banew\b/i, instead: '"again"' },
  {
    pattern: /\bthereof\b|\bthereby\b|\bherein\b|\bwherein\b|\bwhereof\b|\bhence\b|\bheretofore\b/i,
    instead: 'leave it out',
  },
  { pattern: /\blest\b|\bere\b|\bnigh\b|\bamid\b|\bamong others\b/i, instead: 'use an everyday word' },
  { pattern: /\bon the eve\b/i, instead: '"the day before"' },
  { pattern: /\bturn of (?:a|the) year\b/i, instead: '"end of the year"' },
  { pattern: /\bmeanwhile by\b/i, instead: 'leave it out' },

  // Invented names for things that have one
  {
    pattern: /\bmade from stands?\b|\bwhat (?:it|they) (?:was|were) made from\b/i,
    instead: '"response cache", "source data"',
  },
  { pattern: /\banswers? that (?:is|are) given again\b/i, instead: '"response cache"' },
  { pattern: /\bwhat became of\b/i, instead: '"history"' },
  { pattern: /\bgroups? of data\b/i, instead: '"field group"' },
  { pattern: /\bkinds? of records?\b/i, instead: '"record type"' },
  { pattern: /\bnumbers? of the ledger\b/i, instead: '"change number"' },
  { pattern: /\bpart of one\b/i, instead: '"fraction"' },
  { pattern: /\bways? of (?:leaving|signing in)\b/i, instead: '"termination type", "sign-in method"' },
  { pattern: /\bput forward\b/i, instead: '"create an application"' },
  { pattern: /\b(?:one|several) of several\b/i, instead: '"single choice", "multiple choice"' },
  { pattern: /\blets? (?:them|one|somebody|people|us) in\b/i, instead: '"can sign in"' },
  { pattern: /\bbring(?:s)? (?:it|them|him|her) back\b/i, instead: '"restore"' },
  { pattern: /\bta(?:ke|kes|ken) back\b/i, instead: '"undo", "cancel", "return"' },
  { pattern: /\bhand(?:ed|s)? in\b/i, instead: '"submit"' },
  { pattern: /\bwhat is not sent\b|\bthat are not sent\b/i, instead: '"omitted fields"' },
  { pattern: /\bwhen (?:it is )?not sent\b|\bwhen (?:it is|they are) not sent\b/i, instead: '"by default"' },
  { pattern: /\bof (?:it|them) already\b/i, instead: 'say what there is' },
  { pattern: /\bkey of nobody\b/i, instead: '"key without an employee"' },
  { pattern: /\bmay log in\b/i, instead: '"can sign in"' },
  { pattern: /\bis away\b.*\bservice\b|\bdatabase is away\b/i, instead: '"is unavailable"' },
  { pattern: /\bin the place of all\b/i, instead: '"replaces all"' },
  { pattern: /\bsuch as there (?:is|are)\b/i, instead: 'leave it out' },
]

/** Code blocks, code spans and addresses: names in them are what they are. */
const CODE = /~~~[\s\S]*?~~~|```[\s\S]*?```|`[^`]*`|https?:\/\/\S+/g

/** The banned words and phrases in a text, each with what to write instead. Code in it is not looked at. */
export function bannedIn(text: string): string[] {
  const plain = text.replace(CODE, '`…`')
  return BANNED.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(plain)
    return found ? [`"${found[0]}": write ${instead}`] : []
  })
}
