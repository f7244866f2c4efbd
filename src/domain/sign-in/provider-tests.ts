import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { Problem } from '../../engine/problem.ts'
import { find } from '../../engine/records.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import type { Caller } from '../../records/caller.ts'
import { type Ledger, readAs } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import { discover, type Fetch, InsecureAddress, limitedFetch, ResponseTooLarge } from './provider-requests.ts'
import { confirmProvider, identityProviders, type Provider, requireEverything } from './providers.ts'
import { claimsIn, exchange, type IdentityClaims, readFlow, recognise, setOut } from './sso.ts'

/** Testing an identity provider: the flow of a real sign-in, step by step, at whose end nobody is signed in. */

const STEPS = ['discovery', 'authorization', 'token', 'id_token', 'email_match'] as const
type StepName = (typeof STEPS)[number]

const CODES = [
  'unreachable',
  'insecure_address',
  'too_large',
  'wrong_answer',
  'refused',
  'ended',
  'changed',
  'no_email',
  'unverified',
  'unknown',
  'taken',
  'not_allowed',
] as const
type FailureCode = (typeof CODES)[number]

type TestFailure = { step: StepName; code: FailureCode; detail: string }

class StepFailed extends Error {
  readonly failure: TestFailure
  constructor(step: StepName, code: FailureCode, detail: string) {
    super(detail)
    this.failure = { step, code, detail }
  }
}

const orNull = (schema: object) => Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] })

const REPORT = {
  steps: Type.Array(
    Type.Object(
      {
        step: Type.Unsafe<string>({ type: 'string', enum: STEPS, description: 'Step of the sign-in' }),
        result: Type.Unsafe<string>({
          type: 'string',
          enum: ['passed', 'failed', 'not_reached'],
          description: 'Result of the step',
        }),
        code: orNull({ enum: [...CODES, null], description: 'Error code; null if the step did not fail' }),
        detail: orNull({ description: 'Error message; null if the step did not fail' }),
      },
      { title: 'ProviderTestStep' },
    ),
    { description: 'The steps in the order of a sign-in' },
  ),
}

/** The steps up to one that has passed, or up to one that has failed. */
function stepsOf(passed: StepName | null, failure: TestFailure | null = null) {
  const last = failure ? STEPS.indexOf(failure.step) - 1 : passed === null ? -1 : STEPS.indexOf(passed)
  return STEPS.map((step, index) => ({
    step,
    result: index <= last ? 'passed' : step === failure?.step ? 'failed' : 'not_reached',
    code: step === failure?.step ? failure.code : null,
    detail: step === failure?.step ? failure.detail : null,
  }))
}

/** What an error of the library, the network or the provider says, in one line. */
function reasonOf(error: unknown): string {
  const { error: code, error_description: description, message, cause } = error as Record<string, any>
  const words = code
    ? [code, description].filter(Boolean).join(': ')
    : [message, (cause?.message && cause.message !== message ? cause.message : cause?.code) || null]
        .filter(Boolean)
        .join(': ')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a provider may send any
  return words.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').slice(0, 300)
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof InsecureAddress) return 'insecure_address'
  if (error instanceof ResponseTooLarge) return 'too_large'
  const { code } = error as { code?: string }
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || error instanceof TypeError) return 'unreachable'
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' || code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return 'refused'
  return 'wrong_answer'
}

const failing = (step: StepName) => (error: unknown) => {
  throw new StepFailed(step, codeOf(error), reasonOf(error))
}

/** The failure that ended a test. */
function failureIn(error: unknown): TestFailure {
  if (error instanceof StepFailed) return error.failure
  throw error
}

/** Takes the steps from the provider's answer to what it says of somebody. */
async function takeSteps(
  provider: Provider,
  journey: ReturnType<typeof readFlow>,
  caller: Caller,
  query: string,
): Promise<IdentityClaims> {
  let [isAsked, hasAnswered, tokenEndpoint] = [false, false, '']
  const fetch: Fetch = async (url, options) => {
    const isToken = url === tokenEndpoint
    isAsked ||= isToken
    const response = await limitedFetch(url, options)
    hasAnswered ||= isToken && response.ok
    return response
  }
  const config = await discover(provider, fetch).catch(failing('discovery'))
  tokenEndpoint = new URL(config.serverMetadata().token_endpoint ?? provider.issuer).href
  const tokens = await exchange(config, caller, journey, query).catch((error) =>
    failing(hasAnswered ? 'id_token' : isAsked ? 'token' : 'authorization')(error),
  )
  const who = await claimsIn(config, provider, tokens).catch(failing('email_match'))
  if (who === null) throw new StepFailed('id_token', 'wrong_answer', 'the subject (sub) is too long or not printable')
  return who
}

const REFUSALS: Record<string, FailureCode> = {
  sso_unverified: 'unverified',
  sso_unknown: 'unknown',
  sso_taken: 'taken',
}

/** Whom a sign-in would let in. */
async function match(db: Reader, provider: Provider, who: IdentityClaims) {
  const found = await recognise(db, provider, who).catch((error) => {
    if (!(error instanceof Problem)) throw error
    const code = who.email === null ? 'no_email' : (REFUSALS[error.code] ?? 'not_allowed')
    throw new StepFailed('email_match', code, error.message)
  })
  return { name: found.person?.name ?? (found.employee?.name as string), email: who.email }
}

const WHOM = Type.Object({ name: Type.String(), email: orNull({}) }, { title: 'ProviderTestPerson' })

const path = '/identity_providers/{id}'
const common = {
  method: 'POST',
  area: 'users',
  params: Type.Object({ id: recordId('identity_providers') }),
  guarded: true,
} as const

export const providerTestOperations = [
  operation(
    {
      ...common,
      id: 'startProviderTest',
      path: `${path}/test`,
      summary: 'Start a test of an identity provider',
      note: 'Returns a `url`; open it in the same browser and sign in at the provider. The provider then redirects to the page `/sign-in/sso`, with a `state` that begins with `<account>.test-<id>.`. Send the query string of that address to `POST /identity_providers/{id}/test_result`. You can also test a provider that is not enabled.',
      answer: wrapped(
        Type.Object(
          {
            url: orNull({
              description:
                'Address to open in the browser; null if the configuration of the provider could not be read from `issuer`',
            }),
            ...REPORT,
          },
          { title: 'ProviderTestStart' },
        ),
      ),
      async prepare({ ledger, caller, params }) {
        requireEverything(caller)
        const provider = await readAs(ledger, caller, (db) => find(db, identityProviders, params.id))
        try {
          const config = await discover(provider).catch(failing('discovery'))
          const { url, sso } = await setOut(ledger, caller, { kind: 'sso test', provider, config })
          return { body: { data: { url, steps: stepsOf('discovery') } }, keep: { sso } }
        } catch (error) {
          return { body: { data: { url: null, steps: stepsOf(null, failureIn(error)) } } }
        }
      },
    },
    async ({ preparation }) => preparation,
  ),
  operation(
    {
      ...common,
      id: 'finishProviderTest',
      path: `${path}/test_result`,
      summary: 'Finish a test of an identity provider',
      note: 'Reports for each step whether it passed, and what failed. Nobody is signed in. If all steps passed, `confirmed_at` of the provider is set.',
      body: Type.Object(
        {
          query: Type.String({
            format: 'line',
            minLength: 1,
            maxLength: 8000,
            examples: ['?code=4f1c9a27d0&state=1.Zm9vYmFy'],
          }),
        },
        { title: 'ProviderTestAnswer' },
      ),
      answer: wrapped(
        Type.Object(
          {
            passed: Type.Boolean({ description: 'Whether all steps passed' }),
            ...REPORT,
            person: Type.Unsafe<{ name: string; email: string | null } | null>({
              ...WHOM,
              type: ['object', 'null'],
              description: 'The user that a real sign-in would have signed in',
            }),
          },
          { title: 'ProviderTestReport' },
        ),
      ),
      async prepare({ ledger, caller, params, body }) {
        requireEverything(caller)
        const provider = await readAs(ledger, caller, (db) => find(db, identityProviders, params.id))
        try {
          const journey = await begun(ledger, caller, provider)
          return { provider, settings: journey.settings, who: await takeSteps(provider, journey, caller, body.query) }
        } catch (error) {
          return { failure: failureIn(error) }
        }
      },
    },
    async ({ db, preparation }) => {
      const keep = { sso: null }
      const failed = (failure: TestFailure) => ({
        body: { data: { passed: false, steps: stepsOf(null, failure), person: null } },
        keep,
      })
      if (preparation.failure) return failed(preparation.failure)
      const { provider, settings, who } = preparation
      try {
        const person = await match(db, provider, who)
        if (!(await confirmProvider(db, provider.id, settings, true))) return failed(CHANGED)
        return { body: { data: { passed: true, steps: stepsOf('email_match'), person } }, keep }
      } catch (error) {
        return failed(failureIn(error))
      }
    },
  ),
]

const CHANGED: TestFailure = {
  step: 'email_match',
  code: 'changed',
  detail: 'the settings were changed during the test. Test again',
}

/** The test that this browser has begun with the provider. */
async function begun(ledger: Ledger, caller: Caller, { id }: Provider) {
  const ended = () =>
    new StepFailed(
      'authorization',
      'ended',
      'the test was started in another browser or more than ten minutes ago, or is already finished. Start it again',
    )
  try {
    const journey = readFlow(ledger, caller, 'sso test')
    if (journey.provider !== id) throw ended()
    await journey.finish()
    return journey
  } catch (error) {
    throw error instanceof Problem && error.code === 'ticket_ended' ? ended() : error
  }
}
