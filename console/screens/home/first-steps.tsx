import { Button, Group, Text, Title, VisuallyHidden } from '@mantine/core'
import { useId, useMemo, useState } from 'react'
import { useRead } from '../../client/data.ts'
import { useMayForAll } from '../../client/me.ts'
import { useActions } from '../../shell/actions.ts'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { homeTexts } from './texts.ts'

/** With more employees than this, the company has been set up. */
const FEW = 5
const HIDDEN = 'cadre-first-steps-hidden'

/** The first steps to set up an empty company. Shown to users who may do them, until they are done or dismissed. */
export function FirstSteps() {
  const t = useTexts(homeTexts)
  const may = useMayForAll()
  const mayAdd = may('employees:write')
  const add = t('add')
  useActions(
    useMemo(() => (mayAdd ? [{ name: add, icon: 'plus', run: () => navigate('/people/new') }] : []), [mayAdd, add]),
  )
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null)
  const isAsked = mayAdd && !isHidden
  const people = useRead('GET /employees', { query: { status: 'all', per_page: 1 } }, { enabled: isAsked })
  const count = people.answer?.metadata.count
  const isNew = isAsked && count !== undefined && count <= FEW
  const departments = useRead('GET /departments', { query: { per_page: 1 } }, { enabled: isNew })
  const mayInvite = may('users:write')
  const users = useRead('GET /users', { query: { per_page: 2 } }, { enabled: isNew && mayInvite })
  const id = useId()
  if (!isNew || !departments.answer || (mayInvite && !users.answer)) return null
  const steps = [
    {
      name: t('stepDepartments'),
      to: '/settings/departments/new',
      isDone: departments.answer.metadata.count > 0,
      may: may('organisation:write'),
    },
    { name: t('stepPeople'), to: '/people/new', isDone: count > 0, may: true },
    {
      name: t('stepInvite'),
      to: '/settings/users/new',
      isDone: (users.answer?.metadata.count ?? 0) > 1,
      may: mayInvite,
    },
  ].filter((step) => step.may)
  if (steps.every(({ isDone }) => isDone)) return null
  const next = steps.find(({ isDone }) => !isDone)
  const hide = () => {
    localStorage.setItem(HIDDEN, 'yes')
    setHidden(true)
  }
  return (
    <section className="section home-first" aria-labelledby={id}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} size="h4" id={id}>
          {t('firstSteps')}
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={hide}>
          {t('hide')}
        </Button>
      </Group>
      <Text c="dimmed" mb="sm">
        {t('firstStepsText')}
      </Text>
      <ol className="home-steps">
        {steps.map((step, index) => (
          <li key={step.to} className={step.isDone ? 'home-step home-step-done' : 'home-step'}>
            <span className="home-step-mark" aria-hidden="true">
              {step.isDone ? <Icon name="check" size={16} /> : index + 1}
            </span>
            {step.isDone ? (
              <span>
                {step.name} <VisuallyHidden>({t('stepDone')})</VisuallyHidden>
              </span>
            ) : (
              <Button component={Link} to={step.to} variant={step === next ? 'filled' : 'default'}>
                {step.name}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
