import { Alert, Text } from '@mantine/core'
import { useRead, useWrite } from '../../client/data.ts'
import { RehireEmployee } from '../../client/fields/employees.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { dayBefore, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { rehiringTexts } from './rehiring-texts.ts'
import { bodyOf, startOf, useProfile } from './shared.ts'

const OF = [
  'hired_on',
  'position_id',
  'department_id',
  'location_id',
  'reporting_to_id',
  'legal_entity_id',
  'employment_type_id',
  'working_pattern_id',
  'probation_policy_id',
] as const

const { amount, currency_code, per } = RehireEmployee.salary.fields
/** The salary's fields next to the others, under the names that errors use. */
const FIELDS = {
  ...RehireEmployee,
  'salary.amount': amount,
  'salary.currency_code': currency_code,
  'salary.per': per,
} as const
const PAY = ['salary.amount', 'salary.currency_code', 'salary.per'] as const

/** A new employment of somebody who has left: the job goes on as it was, apart from what is changed here. */
export function RehireDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(rehiringTexts)
  const { day } = useFormats()
  const { id, employee, sees } = useProfile()
  const left = employee.termination_effective_on ?? today()
  const params = { employee_id: id }
  const statuses = useRead('GET /employees/{employee_id}/employment_statuses', { params })
  const pay = useRead('GET /employees/{employee_id}/salaries', { params }, { enabled: sees('compensation') })
  const last = pay.answer?.data.toSorted((a, b) => (a.effective_on < b.effective_on ? -1 : 1)).at(-1)
  const save = useWrite('POST /employees/{id}/rehire', {
    done: ({ data }) => t('rehired', { name: data.full_name, day: day(data.hired_on) }),
    touches: ['employments', 'positions', 'employment_statuses', 'salaries'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} isBusy={save.isPending} title={t('title')} size="lg">
      <Text size="sm" mb="sm">
        {t('text', { name: employee.full_name, day: day(dayBefore(left)) })}
      </Text>
      {employee.termination_eligible_for_rehire === false ? (
        <Alert color="yellow" mb="sm">
          {[t('notEligible'), employee.termination_type?.name, employee.termination_reason?.name]
            .filter(Boolean)
            .join(' · ')}
        </Alert>
      ) : null}
      <WhenLoaded of={statuses}>
        {({ data }) =>
          sees('compensation') && pay.isPending ? (
            <Loading rows={6} />
          ) : (
            <Form
              fields={FIELDS}
              of={sees('compensation') ? [...OF, ...PAY] : OF}
              labels={{ hired_on: t('firstDay') }}
              start={{
                ...startOf(OF, employee),
                hired_on: null,
                probation_policy_id:
                  data.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1)).at(-1)?.probation_policy
                    ?.id ?? null,
                'salary.amount': last?.amount ?? null,
                'salary.currency_code': last?.currency_code ?? null,
                'salary.per': last?.per ?? null,
              }}
              error={save.error}
              isBusy={save.isPending}
              submitLabel={t('rehire')}
              onCancel={onClose}
              onSubmit={(values, changed) => {
                const isPaidAnew = PAY.some((name) => name in changed)
                const salary = Object.fromEntries(PAY.map((name) => [name.slice('salary.'.length), values[name]]))
                const job = Object.entries(changed).filter(([name]) => !name.startsWith('salary.'))
                save.mutate({
                  params: { id },
                  body: bodyOf({
                    ...Object.fromEntries(job),
                    hired_on: values.hired_on,
                    ...(isPaidAnew && values['salary.amount'] ? { salary } : {}),
                  }),
                })
              }}
            />
          )
        }
      </WhenLoaded>
    </Dialog>
  )
}
