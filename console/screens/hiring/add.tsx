import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call, Problem, send } from '../../client/client.ts'
import { ownRequest, refresh, useWrite } from '../../client/data.ts'
import { CreateCandidate } from '../../client/fields/recruitment.ts'
import { notifyDone } from '../../client/notices.ts'
import type { Candidate } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Link } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { hiringTexts } from './texts.ts'

const KINDS = ['applications', 'vacancies', 'candidates', 'movements']

/** The candidate who already has the email address, if the user may see them. */
async function whoHas(email: unknown, error: unknown): Promise<Candidate | undefined> {
  const isTaken = error instanceof Problem && error.errors.some((one) => one.field === 'email' && one.code === 'taken')
  if (!isTaken) return undefined
  const found = await call('GET /recruitment/candidates', { query: { email: String(email) } }).catch(() => undefined)
  return found?.body.data[0]
}

/**
 * Adds a candidate who did not apply on the careers page. It can be a new one, or a known one with the same email
 * address.
 */
export function AddCandidate({ vacancyId, onClose }: { vacancyId: number; onClose: () => void }) {
  const t = useTexts(hiringTexts)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [known, setKnown] = useState<Candidate>()
  const submit = async (values: Record<string, unknown>) => {
    setBusy(true)
    setKnown(undefined)
    const body = new FormData()
    for (const [name, value] of Object.entries<unknown>({ ...values, vacancy_id: vacancyId }))
      if (value !== null && value !== '') body.append(name, value instanceof File ? value : String(value))
    try {
      const asked = { body, requestId: ownRequest(KINDS) }
      const made = await send<{ data: Candidate }>('POST', '/recruitment/candidates', asked)
      refresh(KINDS)
      notifyDone(t('added', { name: made.body.data.full_name }), { requestId: made.requestId, kinds: KINDS })
      onClose()
    } catch (problem) {
      setError(problem)
      setKnown(await whoHas(values.email, problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={t('addTitle')}>
      <Stack gap="sm">
        {known ? <KnownCandidate of={known} vacancyId={vacancyId} onDone={onClose} /> : null}
        <Form
          fields={CreateCandidate}
          of={['full_name', 'email', 'position', 'source_id', 'resume']}
          onSubmit={(values) => void submit(values)}
          onCancel={onClose}
          isBusy={isBusy}
          error={error}
        />
      </Stack>
    </Dialog>
  )
}

/** Adds the known candidate without changes. */
function KnownCandidate({ of, vacancyId, onDone }: { of: Candidate; vacancyId: number; onDone: () => void }) {
  const t = useTexts(hiringTexts)
  const name = of.full_name
  const putForward = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications', {
    touches: KINDS,
    done: t('added', { name }),
    onSuccess: onDone,
  })
  const isHere = of.applications.some(({ vacancy }) => vacancy.id === vacancyId)
  return (
    <Group justify="space-between" className="board-known" role="status">
      <Text size="sm">
        {t(isHere ? 'knownHere' : 'known', { name })}{' '}
        <Link to={`/candidates/${of.id}`} className="person-name">
          {t('open')}
        </Link>
      </Text>
      {isHere ? null : (
        <Button
          size="xs"
          loading={putForward.isPending}
          onClick={() => putForward.mutate({ params: { vacancy_id: vacancyId }, body: { candidate_id: of.id } })}
        >
          {t('takeKnown', { name })}
        </Button>
      )}
    </Group>
  )
}
