import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay, useMayHire } from '../../client/me.ts'
import type { Candidate, CandidateApplication } from '../../client/operations.ts'
import { Section } from '../../parts/section.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { dayBefore, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { Disqualify } from '../hiring/disqualify.tsx'
import { Hire } from '../hiring/hire.tsx'
import { PutForward } from './put-forward.tsx'
import { candidateTexts } from './texts.ts'

/** The candidate's applications, with their stages and actions. */
export function Applications({ of }: { of: Candidate }) {
  const t = useTexts(candidateTexts)
  const may = useMay()
  const { get, set } = useFilters()
  const wanted = of.applications.find((one) => one.vacancy.id === Number(get('vacancy'))) ?? of.applications[0]
  const mayHire = useMayHire()
  const hiring = get('hire') && mayHire && wanted && !isHired(wanted) && !wanted.disqualified_at ? wanted : undefined
  const [isAdding, setAdding] = useState(false)
  const stop = () => set({ hire: undefined }, { replace: true })
  return (
    <Section
      title={t('applications')}
      actions={
        may('recruitment:write') ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setAdding(true)}
          >
            {t('putForward')}
          </Button>
        ) : null
      }
    >
      {of.employee_id === null ? null : <EmployeeLine id={of.employee_id} name={of.full_name} />}
      {of.applications.length === 0 ? <Text c="dimmed">{t('applicationsNone')}</Text> : null}
      <ul className="candidate-list">
        {of.applications.map((one) => (
          <ApplicationLine
            key={one.id}
            of={one}
            name={of.full_name}
            mayMove={may('recruitment:write') && !isHired(one)}
            onHire={mayHire && !isHired(one) ? () => set({ vacancy: String(one.vacancy.id), hire: '1' }) : undefined}
          />
        ))}
      </ul>
      {hiring ? <Hire name={of.full_name} vacancy={hiring.vacancy} applicationId={hiring.id} onClose={stop} /> : null}
      {isAdding ? <PutForward of={of} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

/** An application that led to a hire stays as it is, also if the employee has left since. */
const isHired = ({ employee_id }: CandidateApplication) => employee_id !== null

/** The employee that the candidate has become, and whether they have left. */
function EmployeeLine({ id, name }: { id: number; name: string }) {
  const t = useTexts(candidateTexts)
  const { day } = useFormats()
  const maySee = useMay()('employees:read')
  const employee = useRead('GET /employees/{id}', { params: { id } }, { enabled: maySee })
  const { status, termination_effective_on: left } = employee.answer?.data ?? {}
  return (
    <Group gap="xs" mb="sm">
      {status === 'terminated' && left ? (
        <Badge color="gray">{t('former', { number: id, day: day(dayBefore(left)) })}</Badge>
      ) : (
        <Badge color="cadre">{t('hired', { number: id })}</Badge>
      )}
      {maySee ? (
        <Link to={`/people/${id}`} className="person-name">
          {name}
        </Link>
      ) : null}
    </Group>
  )
}

function ApplicationLine(props: {
  of: CandidateApplication
  name: string
  mayMove: boolean
  onHire: (() => void) | undefined
}) {
  const { of, name, mayMove, onHire } = props
  const { id, vacancy, pipeline_state, disqualified_at, disqualify_reason, created_at } = of
  const t = useTexts(candidateTexts)
  const words = useTexts(common)
  const { day } = useFormats()
  const [isOpen, setOpen] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  // The stages are needed when the menu opens, and for users who may continue a hire.
  const whole = useRead(
    'GET /recruitment/vacancies/{id}',
    { params: { id: vacancy.id } },
    { enabled: isOpen || Boolean(onHire) },
  )
  // Users who may hire do not move candidates to the hired stage: hiring does it.
  const stages = (whole.answer?.data.recruitment_pipeline.stages ?? []).filter(
    (stage) => !(onHire && stage.type === 'hired') || stage.id === pipeline_state.id,
  )
  const isAmongHired = stages.some(({ id: one, type }) => one === pipeline_state.id && type === 'hired')
  const params = { vacancy_id: vacancy.id, id }
  const touches = ['candidates', 'movements']
  const move = useWrite('PUT /recruitment/vacancies/{vacancy_id}/applications/{id}/move', {
    touches,
    done: ({ data }) => t('moved', { stage: data.pipeline_state.name }),
  })
  const back = useWrite('POST /recruitment/vacancies/{vacancy_id}/applications/{id}/requalify', {
    touches,
    done: t('requalified'),
  })
  const isOut = disqualified_at !== null
  return (
    <li className="candidate-line">
      <div className="candidate-line-words">
        <Link to={`/hiring/${vacancy.id}`} className="person-name">
          {vacancy.title}
        </Link>
        <Text size="xs" c="dimmed">
          {day(created_at)}
        </Text>
      </div>
      {isOut ? (
        <Badge color="red">{disqualify_reason ? `${t('out')}: ${disqualify_reason.name}` : t('out')}</Badge>
      ) : (
        <Badge color="blue">{pipeline_state.name}</Badge>
      )}
      {onHire && isAmongHired && !isOut ? (
        <Button size="xs" onClick={onHire}>
          {t('makeEmployee')}
        </Button>
      ) : null}
      {mayMove ? (
        <Menu position="bottom-end" width={240} shadow="md" opened={isOpen} onChange={setOpen}>
          <Menu.Target>
            <ActionIcon variant="default" aria-label={`${t('moveTo')} ${vacancy.title}`}>
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isOut ? (
              <Menu.Item leftSection={<Icon name="undo" size={16} />} onClick={() => back.mutate({ params })}>
                {t('requalify')}
              </Menu.Item>
            ) : (
              <>
                <Menu.Label>{t('moveTo')}</Menu.Label>
                {whole.answer ? (
                  stages.map((stage) => (
                    <Menu.Item
                      key={stage.id}
                      disabled={stage.id === pipeline_state.id}
                      leftSection={<Icon name={stage.id === pipeline_state.id ? 'check' : 'right'} size={14} />}
                      onClick={() =>
                        move.mutate({
                          params,
                          body: { pipeline_stage_id: stage.id, from_pipeline_stage_id: pipeline_state.id },
                        })
                      }
                    >
                      {stage.name}
                    </Menu.Item>
                  ))
                ) : (
                  <Menu.Item disabled>{words('loading')}</Menu.Item>
                )}
                <Menu.Divider />
                {onHire ? (
                  <Menu.Item leftSection={<Icon name="person" size={16} />} onClick={onHire}>
                    {t('hire')}
                  </Menu.Item>
                ) : null}
                <Menu.Item leftSection={<Icon name="close" size={16} />} onClick={() => setLeaving(true)}>
                  {t('disqualify')}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {isLeaving ? (
        <Disqualify vacancyId={vacancy.id} ids={[id]} name={name} onClose={() => setLeaving(false)} />
      ) : null}
    </li>
  )
}
