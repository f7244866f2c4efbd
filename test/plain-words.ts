/**
 * Words and phrases that English texts for people do not contain, each with what to write instead. They are archaic,
 * literal or coy: readers stumble over them, and there is always a plainer way to say it. Checks of texts share this list.
 */
export const BANNED: readonly { pattern: RegExp; instead: string }[] = [
  // Turns of phrase that hide who does what
  { pattern: /\bwho(?:so)?ever\b/i, instead: '"anybody who", "people who", or name the person' },
  { pattern: /\bwhom(?:soever|ever)?\b/i, instead: 'name the person: "the people it covers"' },
  { pattern: /\bone['’]s\b/i, instead: '"your", or name the owner' },
  { pattern: /\boneself\b/i, instead: '"yourself", or name the person' },
  { pattern: /\b(?:is|are|was|were|be|been) (?:\w+ )?told\b/i, instead: '"is shown", "is notified", "appears"' },
  { pattern: /\btells? (?:of|what|who|whose|whether|that|how|where|since)\b/i, instead: '"shows", "lists", "says"' },
  { pattern: /\bfor (?:her|him|them) to know\b/i, instead: '"you may not see"' },

  // Things that stand, lie, hold and go
  { pattern: /\bstands?\b(?!-)/i, instead: '"is", "applies", "remains"' },
  { pattern: /\bl(?:ies|ie|ay) (?:in|on|below|above|beyond|between)\b/i, instead: '"is in", "is after"' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: '"continues"' },
  { pattern: /\bholds? on\b/i, instead: '"continues"' },
  { pattern: /\bday (?:from|on) which (?:it|they) holds?\b/i, instead: '"first day on which it applies"' },
  { pattern: /\bis at hand\b/i, instead: '"is available"' },
  { pattern: /\b(?:database|server|store|service) is away\b/i, instead: '"is unavailable"' },

  // Archaic words
  { pattern: /\bbesides?\b/i, instead: '"next to", "in addition to", "together with"' },
  { pattern: /\bbut for\b/i, instead: '"except for"' },
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\b(?:there|here|where)(?:of|by|in|upon)\b|\bhence\b|\bheretofore\b/i, instead: 'leave it out' },
  { pattern: /\bamong others\b|\bamid\b/i, instead: '"including", "during"' },
  { pattern: /\bon the eve\b/i, instead: '"the day before"' },
  { pattern: /\bturn of (?:a|the) year\b/i, instead: '"end of the year"' },
  { pattern: /\bsuch as there (?:is|are)\b/i, instead: 'leave it out' },

  // Invented names for things that have one
  { pattern: /\bwhat (?:it|they) (?:was|were) made from\b/i, instead: '"source data"' },
  { pattern: /\banswers? that (?:is|are) given again\b/i, instead: '"response cache"' },
  { pattern: /\bwhat became of\b/i, instead: '"history"' },
  { pattern: /\bgroups? of data\b/i, instead: '"field group"' },
  { pattern: /\bkinds? of records?\b/i, instead: '"record type"' },
  { pattern: /\bnumbers? of the ledger\b/i, instead: '"change number"' },
  { pattern: /\bways? of leaving\b/i, instead: '"termination type"' },
  { pattern: /\bways? of signing in\b|\bby other ways\b/i, instead: '"sign-in method"' },
  { pattern: /\bput forward\b/i, instead: '"create an application"' },
  { pattern: /\b(?:one|several) of several\b/i, instead: '"single choice", "multiple choice"' },
  { pattern: /\blets? (?:them|one|somebody|people) in\b|\bmay log in\b/i, instead: '"can sign in"' },
  { pattern: /\bbrings? (?:it|them) back\b/i, instead: '"restores"' },
  { pattern: /\bta(?:ke|kes|ken|king) back\b/i, instead: '"undo", "cancel", "return"' },
  { pattern: /\bhand(?:ed|s)? in\b(?! hand)/i, instead: '"submit"' },
  { pattern: /\bkey of nobody\b/i, instead: '"key without an employee"' },
  { pattern: /\bmay be hired again\b/i, instead: '"eligible for rehire"' },
  { pattern: /\bno longer here from\b/i, instead: '"first day after employment"' },
  { pattern: /\bin the running\b/i, instead: '"active candidates"' },

  // Parameters
  { pattern: /\bwhat is not sent\b/i, instead: '"omitted fields"' },
  { pattern: /\bwhen (?:(?:it is|they are) )?not sent\b/i, instead: '"by default"' },
  { pattern: /\bhas the last ones first\b/i, instead: '"descending"' },
]

/** Code blocks, code spans and web addresses: the names in them are given. */
const CODE = /~~~[\s\S]*?~~~|```[\s\S]*?```|`[^`]*`|https?:\/\/\S+/g

/** The banned words and phrases in an English text, each with what to write instead. Code in the text is not checked. */
export function bannedIn(text: string): string[] {
  const plain = text.replace(CODE, '`…`')
  return BANNED.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(plain)
    return found ? [`"${found[0]}": write ${instead}`] : []
  })
}
