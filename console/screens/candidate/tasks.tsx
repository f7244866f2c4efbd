import { Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import type { BodyOf } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateTask } from '../../client/fields/tasks.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { Candidate, Task } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { useStableList } from '../../parts/stable-list.ts'
import { WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { candidateTexts } from './texts.ts'

/** Tasks about the candidate, such as an interview, a call or a decision, and who has them. */
export function Tasks({ of }: { of: Candidate }) {
  const may = useMay()
  return may('tasks:read') ? <TasksOf of={of} /> : null
}

const NONE: Task[] = []

function TasksOf({ of }: { of: Candidate }) {
  const t = useTexts(candidateTexts)
  const may = useMay()
  const { day } = useFormats()
  const [isAdding, setAdding] = useState(false)
  const read = useRead('GET /tasks', { query: { candidate_id: of.id, per_page: 50, sort: 'starts_on' } })
  const [done, setDone] = useState<ReadonlySet<number>>(new Set())
  const complete = useWrite('PUT /tasks/{id}/complete', {
    done: t('taskDone'),
    onSuccess: (_, { params }) => setDone((now) => new Set([...now, Number(params.id)])),
  })
  const lines = useStableList(read.answer?.data ?? NONE, ({ id }) => id, String(of.id)).filter(
    ({ item, isThere }) => isThere || done.has(item.id),
  )
  return (
    <Section
      title={t('tasks')}
      actions={
        may('tasks:write') ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setAdding(true)}
          >
            {t('taskNew')}
          </Button>
        ) : null
      }
    >
      <WhenLoaded of={read}>
        {() =>
          lines.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t('tasksNone')}
            </Text>
          ) : (
            <ul className="candidate-list">
              {lines.map(({ item: task, isThere }) => (
                <li key={task.id} className="candidate-line">
                  {may('tasks:write') ? (
                    <Checkbox
                      aria-label={t('taskComplete', { name: task.title })}
                      checked={!isThere}
                      disabled={!isThere}
                      onChange={() => complete.mutate({ params: { id: task.id } })}
                    />
                  ) : null}
                  <div className="candidate-line-words">
                    <Text fw={600} size="sm">
                      {task.title}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {[
                        task.assigned_to.full_name,
                        task.ends_on ? t('taskDue', { day: day(task.ends_on) }) : day(task.starts_on),
                      ].join(' · ')}
                    </Text>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {isAdding ? <NewTask of={of} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

function NewTask({ of, onClose }: { of: Candidate; onClose: () => void }) {
  const t = useTexts(candidateTexts)
  const { employee } = useMe()
  const add = useWrite('POST /tasks', {
    done: ({ data }) => t('taskAdded', { name: data.assigned_to.full_name }),
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('taskNew')}>
      <Form
        fields={CreateTask}
        labels={{
          name: t('taskName'),
          employee_id: t('taskWho'),
          starts_on: t('taskStarts'),
          ends_on: t('taskEnds'),
        }}
        of={['name', 'employee_id', 'starts_on', 'ends_on', 'description']}
        start={{ employee_id: employee?.id ?? null, starts_on: today() }}
        onSubmit={(values) =>
          add.mutate({ body: { ...values, associated_to: { id: of.id, type: 'Candidate' } } as BodyOf<'POST /tasks'> })
        }
        onCancel={onClose}
        isBusy={add.isPending}
        error={add.error}
      />
    </Dialog>
  )
}
