import { Button, Group, Text, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { usePages, useWrite } from '../../client/data.ts'
import { CreateCandidateNote } from '../../client/fields/recruitment.ts'
import { useMay } from '../../client/me.ts'
import { RemoveIcon } from '../../parts/confirm.tsx'
import { nameOf } from '../../parts/person.tsx'
import { useProblems } from '../../parts/problems.ts'
import { Section } from '../../parts/section.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { candidateTexts } from './texts.ts'

/** Notes of the people who review the candidate, newest first. */
export function Notes({ id }: { id: number }) {
  const t = useTexts(candidateTexts)
  const words = useTexts(common)
  const may = useMay()
  const { moment } = useFormats()
  const params = { candidate_id: id }
  const notes = usePages(
    'GET /recruitment/candidates/{candidate_id}/notes',
    { params, query: { sort: '-created_at' } },
    { size: 10, kinds: ['candidate_notes'] },
  )
  const remove = useWrite('DELETE /recruitment/candidates/{candidate_id}/notes/{id}', {
    done: t('noteGone'),
    touches: ['candidate_notes'],
  })
  return (
    <Section title={t('notes')}>
      {may('recruitment:write') ? <NewNote id={id} /> : null}
      {notes.error ? (
        <Failed error={notes.error} onRetry={() => void notes.refetch()} />
      ) : notes.isPending ? (
        <Loading rows={2} />
      ) : notes.items.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('notesNone')}
        </Text>
      ) : (
        <ul className="candidate-list">
          {notes.items.map((note) => (
            <li key={note.id} className="candidate-note">
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <Text size="xs" c="dimmed">
                  {[note.created_by ? nameOf(note.created_by) : null, moment(note.created_at)]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
                {may('recruitment:write') ? (
                  <RemoveIcon
                    label={t('noteDelete', { when: moment(note.created_at) })}
                    onConfirm={() => remove.mutate({ params: { ...params, id: note.id } })}
                    size={14}
                  />
                ) : null}
              </Group>
              <p className="candidate-note-words">{note.comment}</p>
            </li>
          ))}
        </ul>
      )}
      {notes.hasNextPage ? (
        <Button
          variant="default"
          size="xs"
          loading={notes.isFetchingNextPage}
          onClick={() => void notes.fetchNextPage()}
        >
          {words('more')}
        </Button>
      ) : null}
    </Section>
  )
}

function NewNote({ id }: { id: number }) {
  const t = useTexts(candidateTexts)
  const words = useTexts(common)
  const [comment, setComment] = useState('')
  const add = useWrite('POST /recruitment/candidates/{candidate_id}/notes', {
    done: t('noteAdded'),
    touches: ['candidate_notes'],
    onSuccess: () => setComment(''),
  })
  const problems = useProblems(add.error, { comment }, { at: ['comment'] })
  useUnsaved(comment.trim() !== '', words('unsaved'), add.isPending)
  const send = () => {
    if (comment.trim()) add.mutate({ params: { candidate_id: id }, body: { comment } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
  }
  return (
    <form onSubmit={submit} className="no-print candidate-new-note">
      <Textarea
        aria-label={t('noteNew')}
        placeholder={t('noteNew')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={CreateCandidateNote.comment.maxLength}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        onKeyDown={press}
        error={problems.comment}
      />
      <Group justify="flex-end">
        <Button type="submit" size="xs" loading={add.isPending} disabled={comment.trim() === ''}>
          {t('noteAdd')}
        </Button>
      </Group>
    </form>
  )
}
