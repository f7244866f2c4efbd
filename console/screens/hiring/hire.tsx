import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { preview } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import { HireApplicant } from '../../client/fields/recruitment.ts'
import { useMe } from '../../client/me.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading } from '../../parts/states.tsx'
import { today } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { hireTexts } from './hire-texts.ts'

const { amount, currency_code, per } = HireApplicant.salary.fields
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

/** Creates an employee record for a candidate. */
export function Hire(props: {
  name: string
  vacancy: { id: number; title: string }
  applicationId: number
  onClose: () => void
}) {
  const { name, vacancy, applicationId, onClose } = props
  const t = useTexts(hireTexts)
  const hire = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications/{id}/hire', {
    touches: ['candidates', 'employees', 'hires', 'movements'],
    done: t('hireDone', { name }),
    onSuccess: onClose,
  })
  const { account } = useMe()
  const params = { vacancy_id: vacancy.id, id: applicationId }
  // The service splits the full name. A dry run shows the record that it would create.
  const made = useQuery({
    queryKey: ['hire', params],
    queryFn: async () =>
      (await preview('POST /recruitment/vacancies/{vacancy_id}/applications/{id}/hire', { params, body: {} })).data
        .employee,
    retry: false,
    gcTime: 0,
  })
  const names = made.data ?? { first_name: name, last_name: '' }
  const submit = (values: Record<string, unknown>) => {
    const salary = Object.fromEntries(
      Object.entries(values)
        .filter(([field, value]) => field.startsWith('salary.') && value && values['salary.amount'])
        .map(([field, value]) => [field.slice('salary.'.length), value]),
    )
    const given = ['hired_on', 'first_name', 'last_name', 'email'].flatMap((field) =>
      values[field] ? [[field, String(values[field])]] : [],
    )
    hire.mutate({
      params,
      body: { ...Object.fromEntries(given), ...(Object.keys(salary).length > 0 ? { salary } : {}) },
    })
  }
  return (
    <Dialog opened onClose={onClose} title={t('hireTitle', { name })}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('hireText', { vacancy: vacancy.title })}
        </Text>
        {made.isPending ? (
          <Loading rows={4} />
        ) : (
          <Form
            fields={HIRING}
            of={['hired_on', 'first_name', 'last_name', 'email', 'salary.amount', 'salary.currency_code', 'salary.per']}
            start={{
              hired_on: today(),
              first_name: names.first_name,
              last_name: names.last_name,
              'salary.currency_code': account.currency_code,
              'salary.per': 'month',
            }}
            labels={{ hired_on: t('hireFirstDay'), email: t('hireEmail') }}
            descriptions={{ email: t('hireEmailText'), 'salary.amount': t('hireSalaryText') }}
            onSubmit={submit}
            onCancel={onClose}
            isBusy={hire.isPending}
            error={hire.error}
            submitLabel={t('hireDo')}
          />
        )}
      </Stack>
    </Dialog>
  )
}
