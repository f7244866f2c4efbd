import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem, preview } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { HireApplicant } from '../../client/fields/recruitment.ts'
import { useMay, useMe } from '../../client/me.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/states.tsx'
import { Link } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { dayBefore, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { hireTexts } from './hire-texts.ts'

const { amount, currency_code, per } = HireApplicant.salary.fields
const PAY = ['salary.amount', 'salary.currency_code', 'salary.per'] as const
/** The salary's fields next to the others, under the names that errors use. */
const HIRING = {
  hired_on: { ...HireApplicant.hired_on, required: true },
  first_name: HireApplicant.first_name,
  last_name: HireApplicant.last_name,
  email: HireApplicant.email,
  'salary.amount': amount,
  'salary.currency_code': currency_code,
  'salary.per': per,
} as const

const HIRE = 'POST /recruitment/vacancies/{vacancy_id}/applications/{id}/hire'

/** The employee that the candidate is. Without an id, the user may not know who it is. */
type Match = { id: number | null; worksHere?: boolean; byEmail?: boolean }

/** The service refuses to make a second employee of somebody, and says who they are. */
function matchIn(error: unknown): Match | undefined {
  if (!(error instanceof Problem)) return undefined
  const { message } = error
  const linked = /^The candidate is already employee (\d+)/.exec(message)
  if (linked) return { id: Number(linked[1]), worksHere: true }
  const owner = /\bof the candidate belongs to (?:an employee\b|employee (\d+), who (has left|works here))/.exec(
    message,
  )
  if (!owner) return undefined
  return { id: owner[1] ? Number(owner[1]) : null, worksHere: owner[2] === 'works here', byEmail: true }
}

/** What a hire would do, by a dry run: the names of the new record, or the employee who would be hired again. */
async function previewHire(params: { vacancy_id: number; id: number }) {
  const { data, changes } = await preview(HIRE, { params, body: {} })
  const isRehire = changes.some(({ resource, action }) => resource === 'former_employments' && action === 'create')
  return { employee: data.employee, rehired: isRehire ? { id: data.employee.id } : undefined }
}

/** Hires a candidate: creates their employee record, or hires somebody again who has left. */
export function Hire(props: {
  name: string
  vacancy: { id: number; title: string }
  applicationId: number
  onClose: () => void
}) {
  const { name, vacancy, applicationId, onClose } = props
  const t = useTexts(hireTexts)
  const params = { vacancy_id: vacancy.id, id: applicationId }
  const made = useQuery({
    queryKey: ['hire', params],
    queryFn: () => previewHire(params),
    retry: false,
    gcTime: 0,
  })
  const match: Match | undefined = matchIn(made.error) ?? made.data?.rehired
  const isRehire = Boolean(match && match.id !== null && !match.worksHere)
  const hire = useWrite(HIRE, {
    touches: ['candidates', 'employees', 'hires', 'movements', 'employments'],
    done: t(isRehire ? 'rehireDone' : 'hireDone', { name }),
    onSuccess: onClose,
  })
  const submit = (values: Record<string, unknown>) => {
    const salary = Object.fromEntries(
      Object.entries(values)
        .filter(([field, value]) => field.startsWith('salary.') && value && values['salary.amount'])
        .map(([field, value]) => [field.slice('salary.'.length), value]),
    )
    const given = ['hired_on', 'first_name', 'last_name', 'email'].flatMap((field) =>
      values[field] ? [[field, String(values[field])]] : [],
    )
    const body = {
      ...Object.fromEntries(given),
      ...(Object.keys(salary).length > 0 ? { salary } : {}),
      ...(isRehire && match?.id ? { employee_id: match.id } : {}),
    }
    // Somebody else may have changed who the candidate is: then the dialog says so.
    hire.mutate({ params, body }, { onError: (error) => void (matchIn(error) && made.refetch()) })
  }
  const form = {
    vacancy: vacancy.title,
    onSubmit: submit,
    onCancel: onClose,
    isBusy: hire.isPending,
    error: matchIn(hire.error) ? null : hire.error,
  }
  const needsEmployees = made.error instanceof Problem && / permission employees:write\b/.test(made.error.message)
  return (
    <Dialog opened onClose={onClose} title={t(isRehire ? 'rehireTitle' : 'hireTitle', { name })}>
      <Stack gap="sm">
        {made.isPending ? (
          <Loading rows={4} />
        ) : match && match.id !== null ? (
          <Known id={match.id} match={match} onClose={onClose} form={form} />
        ) : match || needsEmployees ? (
          <Refused onClose={onClose}>{t(match ? 'belongsToEmployee' : 'needsEmployees')}</Refused>
        ) : (
          <NewEmployee {...form} names={made.data?.employee ?? { first_name: name, last_name: '' }} />
        )}
      </Stack>
    </Dialog>
  )
}

type HireForm = {
  vacancy: string
  onSubmit: (values: Record<string, unknown>) => void
  onCancel: () => void
  isBusy: boolean
  error: unknown
}

function NewEmployee({ vacancy, names, ...form }: HireForm & { names: { first_name: string; last_name: string } }) {
  const t = useTexts(hireTexts)
  const { account } = useMe()
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('hireText', { vacancy })}
      </Text>
      <Form
        fields={HIRING}
        of={['hired_on', 'first_name', 'last_name', 'email', ...PAY]}
        start={{
          hired_on: today(),
          first_name: names.first_name,
          last_name: names.last_name,
          'salary.currency_code': account.currency_code,
          'salary.per': 'month',
        }}
        labels={{ hired_on: t('hireFirstDay'), email: t('hireEmail') }}
        descriptions={{ email: t('hireEmailText'), 'salary.amount': t('hireSalaryText') }}
        submitLabel={t('hireDo')}
        {...form}
      />
    </>
  )
}

/** Somebody who has worked here before is hired again. Somebody who still works here is not. */
function Known({ id, match, form, onClose }: { id: number; match: Match; form: HireForm; onClose: () => void }) {
  const t = useTexts(hireTexts)
  const { day } = useFormats()
  const { account } = useMe()
  const maySee = useMay()('employees:read')
  // Not after sending: the new employment would replace the one that the text is about.
  const read = useRead('GET /employees/{id}', { params: { id } }, { enabled: maySee && !form.isBusy })
  if (maySee && read.isPending) return <Loading rows={4} />
  const person = read.answer?.data
  const left = person?.termination_effective_on
  const who = person ? (
    <Link to={`/people/${id}`} className="person-name">
      {person.full_name}
    </Link>
  ) : (
    t('employee', { number: id })
  )
  const same = match.byEmail ? ` ${t('sameEmail')}` : ''
  if (match.worksHere)
    return (
      <Refused onClose={onClose}>
        {who} {t('worksHere')}
        {same}
      </Refused>
    )
  const { vacancy, ...rest } = form
  return (
    <>
      <Alert color="blue" role="status">
        {who} {left ? t('workedUntil', { day: day(dayBefore(left)) }) : t('workedHere')}
        {same}
      </Alert>
      <Text size="sm" c="dimmed">
        {t('rehireText', { vacancy })}
      </Text>
      <Form
        fields={HIRING}
        of={['hired_on', 'email', ...PAY]}
        start={{ hired_on: today(), 'salary.currency_code': account.currency_code, 'salary.per': 'month' }}
        labels={{ hired_on: t('hireFirstDay'), email: t('hireEmail') }}
        descriptions={{
          email: person?.email ? t('rehireEmailText', { email: person.email }) : t('hireEmailText'),
          'salary.amount': t('rehireSalaryText'),
        }}
        submitLabel={t('rehireDo')}
        {...rest}
      />
    </>
  )
}

/** Why the candidate cannot be hired here. */
function Refused({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const words = useTexts(common)
  return (
    <>
      <Alert color="yellow" role="alert">
        {children}
      </Alert>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {words('close')}
        </Button>
      </Group>
    </>
  )
}
