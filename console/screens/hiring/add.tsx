import { useState } from 'react'
import { call, send } from '../../client/client.ts'
import { isAtFields, refresh } from '../../client/data.ts'
import { CreateCandidate } from '../../client/fields/recruitment.ts'
import type { Candidate } from '../../client/operations.ts'
import { tellDone, tellFailed } from '../../client/telling.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

/** Somebody new for the vacancy, who did not come through the careers page. */
export function AddCandidate({ vacancyId, onClose }: { vacancyId: number; onClose: () => void }) {
  const t = useTexts(hiringTexts)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const add = async (values: Record<string, unknown>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(values))
      if (value !== null && value !== '') body.append(name, value instanceof File ? value : String(value))
    const { data } = (await send<{ data: Candidate }>('POST', '/recruitment/candidates', { body })).body
    await call('POST /recruitment/vacancies/{vacancy_id}/applications', {
      params: { vacancy_id: vacancyId },
      body: { candidate_id: data.id },
    })
    return data
  }
  const submit = (values: Record<string, unknown>) => {
    setBusy(true)
    add(values)
      .then(({ full_name }) => {
        tellDone(t('added', { name: full_name }))
        onClose()
      })
      .catch((problem) => {
        setError(problem)
        if (!isAtFields(problem)) tellFailed(problem)
      })
      .finally(() => {
        setBusy(false)
        refresh(['applications', 'vacancies', 'candidates'])
      })
  }
  return (
    <Dialog opened onClose={onClose} title={t('addTitle')}>
      <Form
        fields={CreateCandidate}
        of={['full_name', 'email', 'position', 'source_id', 'resume']}
        onSubmit={submit}
        onCancel={onClose}
        isBusy={isBusy}
        error={error}
      />
    </Dialog>
  )
}
