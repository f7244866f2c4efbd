import type { Row, Sent } from '../../engine/declaration.ts'
import { boolean, hexColor, LONGEST_TEXT, longText, neverBlank, text } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { amend, create, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { bodySchema, schemaOf, wrapped } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { readUpload } from '../files/upload.ts'
import { imageKind } from '../people/avatars.ts'

/**
 * What an account asks of those who apply, and how its careers page looks to them. There is one record of it at most;
 * before there is, nothing is asked and the page is plain.
 */
export const recruitmentSettings = resource(
  { table: 'recruitment_settings', one: 'recruitment settings', area: 'recruitment' },
  {
    consent_required: neverBlank(
      boolean({
        default: false,
        note: 'Whether applicants must consent to the processing of their data',
        example: true,
      }),
    ),
    careers_heading: text({ note: 'Heading of the careers page', example: 'Work with us' }),
    careers_introduction: longText({ nullable: true, note: 'Introduction on the careers page, above the vacancies' }),
    careers_color: hexColor({ note: 'Colour of the careers page' }),
    careers_logo: text({
      max: LONGEST_TEXT,
      note: 'Logo on the careers page, as a data URI: PNG, JPEG or WebP of at most 48 KB',
      example:
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    }),
  },
)

const shape = card(recruitmentSettings, 'RecruitmentSettings', [
  'consent_required',
  'careers_heading',
  'careers_introduction',
  'careers_color',
  'careers_logo',
])
const place = { area: 'recruitment', path: '/recruitment/settings', answer: wrapped(schemaOf(shape)) }

type Settings = Pick<
  Row<typeof recruitmentSettings>,
  'consent_required' | 'careers_heading' | 'careers_introduction' | 'careers_color' | 'careers_logo'
>

const stored = async (db: Reader) => (await rowsOf(recruitmentSettings, db.from('recruitment_settings')))[0]

export async function settingsOf(db: Reader): Promise<Settings> {
  const found = await stored(db)
  return {
    consent_required: found?.consent_required ?? false,
    careers_heading: found?.careers_heading ?? null,
    careers_introduction: found?.careers_introduction ?? null,
    careers_color: found?.careers_color ?? null,
    careers_logo: found?.careers_logo ?? null,
  }
}

export const isConsentRequired = async (db: Reader): Promise<boolean> => (await settingsOf(db)).consent_required

const answer = async (db: Reader) => ({ body: { data: await settingsOf(db) } })

/** Only what a browser shows without running anything, whatever it is called. */
function checkLogo({ careers_logo }: Sent<typeof recruitmentSettings>, problems: FieldProblem[]): void {
  if (!careers_logo || problems.some(({ field }) => field === 'careers_logo')) return
  const upload = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+=*$/.test(careers_logo) && readUpload(careers_logo)
  if (!upload || !imageKind(upload.bytes))
    problems.push(wrong('careers_logo', 'invalid', 'must be a PNG, JPEG or WebP image as a data URI'))
}

export const recruitmentSettingOperations = [
  operation(
    { ...place, id: 'getRecruitmentSettings', method: 'GET', summary: 'Get the recruitment settings' },
    ({ db }) => answer(db),
  ),
  operation(
    {
      ...place,
      id: 'updateRecruitmentSettings',
      method: 'PUT',
      summary: 'Update the recruitment settings',
      note: 'Omitted fields keep their values.',
      body: bodySchema(recruitmentSettings, 'update'),
      gathers: true,
    },
    async ({ db, body, problems }) => {
      const before = await stored(db)
      const sent = body as Sent<typeof recruitmentSettings>
      checkLogo(sent, problems)
      refuse(problems)
      if (before) await amend(db, recruitmentSettings, before, sent)
      else if (Object.keys(sent).length > 0) await create(db, recruitmentSettings, sent)
      return answer(db)
    },
  ),
]
