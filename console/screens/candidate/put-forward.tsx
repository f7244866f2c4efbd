import { useWrite } from '../../client/data.ts'
import { CreateCandidate } from '../../client/fields/recruitment.ts'
import type { Candidate } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { candidateTexts } from './texts.ts'

const FIELDS = { vacancy_id: { ...CreateCandidate.vacancy_id, nullable: false, required: true } } as const

/** Adds a known candidate to another vacancy. */
export function PutForward({ of, onClose }: { of: Candidate; onClose: () => void }) {
  const t = useTexts(candidateTexts)
  const save = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications', {
    touches: ['candidates', 'movements'],
    done: t('putForwardDone', { name: of.full_name }),
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('putForwardTitle', { name: of.full_name })}>
      <Form
        fields={FIELDS}
        of={['vacancy_id']}
        labels={{ vacancy_id: t('vacancy') }}
        onSubmit={({ vacancy_id }) =>
          save.mutate({ params: { vacancy_id: Number(vacancy_id) }, body: { candidate_id: of.id } })
        }
        onCancel={onClose}
        isBusy={save.isPending}
        error={save.error}
        submitLabel={t('putForwardDo')}
      />
    </Dialog>
  )
}
