import { Text } from '@mantine/core'
import { useWrite } from '../../client/data.ts'
import { RehireEmployee } from '../../client/fields/employees.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
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

/** A new employment of somebody who has left: the job goes on as it was, apart from what is changed here. */
export function RehireDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(rehiringTexts)
  const { day } = useFormats()
  const { id, employee, sees } = useProfile()
  const left = employee.termination_effective_on ?? today()
  const save = useWrite('POST /employees/{id}/rehire', {
    done: ({ data }) => t('rehired', { name: data.full_name, day: day(data.hired_on) }),
    touches: ['employments', 'positions', 'employment_statuses', 'salaries'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} isBusy={save.isPending} title={t('title')} size="lg">
      <Text size="sm" mb="sm">
        {t('text', { name: employee.full_name, day: day(dayBefore(left)) })}
        {sees('compensation') ? ` ${t('pay')}` : ''}
      </Text>
      <Form
        fields={RehireEmployee}
        of={OF}
        labels={{ hired_on: t('firstDay') }}
        start={{ ...startOf(OF, employee), hired_on: null }}
        error={save.error}
        isBusy={save.isPending}
        submitLabel={t('rehire')}
        onCancel={onClose}
        onSubmit={(values, changed) =>
          save.mutate({ params: { id }, body: bodyOf({ ...changed, hired_on: values.hired_on }) })
        }
      />
    </Dialog>
  )
}
