import type { Sent } from '../engine/declaration.ts'
import { boolean, neverBlank } from '../engine/field.ts'
import { operation } from '../engine/operation.ts'
import { amend, create, rowsOf } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'
import { bodySchema, schemaOf, wrapped } from '../engine/schema.ts'
import type { Reader } from '../ledger/reader.ts'

/** What an account asks of those who apply. There is one record of it at most; before there is, nothing is asked. */
export const recruitmentSettings = resource(
  { table: 'recruitment_settings', one: 'recruitment settings', area: 'recruitment' },
  {
    consent_required: neverBlank(
      boolean({
        default: false,
        note: 'Whoever applies through the careers site must consent to the processing of their data',
        example: true,
      }),
    ),
  },
)

const shape = card(recruitmentSettings, 'RecruitmentSettings', ['consent_required'])
const place = { area: 'recruitment', path: '/recruitment/settings', answer: wrapped(schemaOf(shape)) }

const stored = async (db: Reader) => (await rowsOf(recruitmentSettings, db.from('recruitment_settings')))[0]

export const isConsentRequired = async (db: Reader): Promise<boolean> => (await stored(db))?.consent_required ?? false

const answer = async (db: Reader) => ({ body: { data: { consent_required: await isConsentRequired(db) } } })

export const recruitmentSettingOperations = [
  operation(
    { ...place, id: 'getRecruitmentSettings', method: 'GET', summary: 'Show the settings of recruitment' },
    ({ db }) => answer(db),
  ),
  operation(
    {
      ...place,
      id: 'updateRecruitmentSettings',
      method: 'PUT',
      summary: 'Change the settings of recruitment',
      note: 'What is not sent stays.',
      body: bodySchema(recruitmentSettings, 'update'),
    },
    async ({ db, body }) => {
      const before = await stored(db)
      const sent = body as Sent<typeof recruitmentSettings>
      if (before) await amend(db, recruitmentSettings, before, sent)
      else if (sent.consent_required !== undefined) await create(db, recruitmentSettings, sent)
      return answer(db)
    },
  ),
]
