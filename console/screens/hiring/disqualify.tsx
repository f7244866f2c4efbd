import { useWrite } from '../../client/data.ts'
import { DisqualifyApplications } from '../../client/fields/recruitment.ts'
import type { Application } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

/** Disqualifies applications, with a reason from the company's list and a comment. */
export function Disqualify(props: {
  vacancyId: number
  ids: readonly number[]
  /** The candidate's name, if there is only one. */
  name: string
  onClose: (isDone: boolean) => void
}) {
  const { vacancyId, ids, name, onClose } = props
  const t = useTexts(hiringTexts)
  const save = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications/bulk/disqualify', {
    touches: ['candidates'],
    done: ({ data }: { data: Application[] }) =>
      data.length === 1
        ? t('disqualifiedDone', { name: data[0]?.applicant.full_name ?? '' })
        : t('disqualifiedMany', { count: data.length }),
    onSuccess: () => onClose(true),
  })
  return (
    <Dialog
      opened
      onClose={() => onClose(false)}
      title={ids.length === 1 && name ? t('disqualifyOne', { name }) : t('disqualifyMany', { count: ids.length })}
    >
      <Form
        fields={DisqualifyApplications}
        of={['disqualify_reason_id', 'comment']}
        submitLabel={t('disqualifyDo')}
        onCancel={() => onClose(false)}
        isBusy={save.isPending}
        error={save.error}
        onSubmit={(_, changed) =>
          save.mutate({ params: { vacancy_id: vacancyId }, body: { ...changed, application_ids: [...ids] } })
        }
      />
    </Dialog>
  )
}
