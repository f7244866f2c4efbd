import { Alert, Anchor, Badge, Button, Group, Menu, Skeleton, Stack, Tabs, Text } from '@mantine/core'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { UpdateEmployeeAvatar } from '../../client/fields/employees.ts'
import { useMay, useMe } from '../../client/me.ts'
import type { Employee } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Face } from '../../parts/person.tsx'
import { Failed, Forbidden, Loading, NotFound } from '../../parts/states.tsx'
import { useOpenInView } from '../../parts/tabs.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, lastAt, useFilters } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { shellTexts } from '../../shell/texts.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { StatusBadge } from '../people/columns.tsx'
import { About } from './about.tsx'
import { AsOf } from './as-of.tsx'
import { PublicCard } from './card.tsx'
import { Documents } from './documents.tsx'
import { Family, Growth, Notes } from './growth.tsx'
import { History } from './history.tsx'
import { ChangeDialog, Job, type JobDialog } from './job.tsx'
import { bodyOf, ProfileContext, profileOf, type Rights, useProfile } from './shared.ts'
import { Tables } from './tables.tsx'
import { profileTexts } from './texts.ts'
import { Assets, Leave } from './things.tsx'

/** Loaded when needed: few users terminate employments. */
const EndDialog = lazy(async () => ({ default: (await import('./leaving.tsx')).EndDialog }))
const HandoverDialog = lazy(async () => ({ default: (await import('./handover.tsx')).HandoverDialog }))
const RehireDialog = lazy(async () => ({ default: (await import('./rehiring.tsx')).RehireDialog }))
const CancelDialog = lazy(async () => ({ default: (await import('./cancelling.tsx')).CancelDialog }))

/** An employee's profile, as far as the user may see it, on any day. */
export default function ProfilePage({ params }: ScreenProps) {
  const t = useTexts(profileTexts)
  const names = useTexts(shellTexts)
  const may = useMay()
  const id = Number(params.id)
  const isId = Number.isSafeInteger(id) && id > 0
  const rights = useRead('GET /me/rights', { query: { employee_id: id } }, { enabled: isId })
  const before = may('employees:read') ? (
    <Link to={lastAt('/people')} className="profile-back no-print">
      <Icon name="left" size={14} /> {t(lastAt('/people') === '/people' ? 'back' : 'backToList')}
    </Link>
  ) : null
  if (rights.answer) {
    const held = rights.answer.data
    if (held.permissions.includes('employees:read')) return <Whole key={id} id={id} rights={held} before={before} />
    if (held.permissions.includes('directory:read')) return <PublicCard key={id} id={id} before={before} />
  }
  return (
    <Page title={names('profile')} before={before}>
      {!isId ? (
        <NotFound />
      ) : rights.error ? (
        <Failed error={rights.error} onRetry={() => void rights.refetch()} />
      ) : rights.answer ? (
        <Forbidden />
      ) : (
        <Skeletons />
      )}
    </Page>
  )
}

const Skeletons = () => (
  <Stack gap="md">
    <Skeleton height={96} />
    <Skeleton height={40} />
    <Loading rows={3} height={140} />
  </Stack>
)

function Whole({ id, rights, before }: { id: number; rights: Rights; before: React.ReactNode }) {
  const names = useTexts(shellTexts)
  const { get } = useFilters()
  const asOf = get('as_of')
  const read = useRead(
    'GET /employees/{id}',
    { params: { id }, query: asOf ? { as_of: asOf } : {} },
    { keepPrevious: true },
  )
  const employee = read.error ? undefined : read.answer?.data
  const profile = useMemo(
    () => (employee ? profileOf(employee, read.etag, asOf, rights) : undefined),
    [employee, read.etag, asOf, rights],
  )
  if (!profile)
    return (
      <Page title={names('profile')} before={before}>
        {read.error ? <Failed error={read.error} onRetry={() => void read.refetch()} /> : <Skeletons />}
      </Page>
    )
  return (
    <ProfileContext value={profile}>
      <Loaded before={before} />
    </ProfileContext>
  )
}

type Tab = { name: string; title: string; isThere: boolean; show: () => React.ReactNode }

/** The dialogs of the profile. */
type ProfileDialog = 'end' | 'cancel' | 'rehire' | 'handOver' | 'picture'

function Loaded({ before }: { before: React.ReactNode }) {
  const t = useTexts(profileTexts)
  const { get, set } = useFilters()
  const profile = useProfile()
  const { employee, may, sees, asOf } = profile
  const me = useMe()
  const [changing, setChanging] = useState<JobDialog | ProfileDialog>()
  const { day } = useFormats()
  const tabs: Tab[] = [
    {
      name: 'overview',
      title: t('overview'),
      isThere: true,
      show: () => <About onChangeJob={() => setChanging('job')} />,
    },
    { name: 'job', title: sees('compensation') ? t('job') : t('jobOnly'), isThere: true, show: () => <Job /> },
    { name: 'documents', title: t('documents'), isThere: true, show: () => <Documents /> },
    { name: 'skills', title: t('skills'), isThere: true, show: () => <Growth /> },
    { name: 'leave', title: t('leave'), isThere: may('leave:read'), show: () => <Leave /> },
    { name: 'assets', title: t('assets'), isThere: may('assets:read'), show: () => <Assets /> },
    { name: 'family', title: t('family'), isThere: sees('personal'), show: () => <Family /> },
    { name: 'tables', title: t('tables'), isThere: true, show: () => <Tables /> },
    {
      name: 'notes',
      title: t('notes'),
      isThere: sees('notes') || me.employee?.id === profile.id,
      show: () => <Notes />,
    },
    { name: 'history', title: t('history'), isThere: may('audits:read'), show: () => <History /> },
  ].filter(({ isThere }) => isThere)
  const tab = tabs.find(({ name }) => name === get('tab')) ?? (tabs[0] as Tab)
  const close = () => setChanging(undefined)
  const strip = useRef<HTMLDivElement>(null)
  useOpenInView(strip, '[aria-selected=true]', tab.name)
  return (
    <Page
      title={employee.full_name}
      before={before}
      actions={profile.mayChange('employees:write') ? <Actions onChoose={setChanging} /> : null}
    >
      <Head />
      <Time />
      {asOf ? (
        <Alert color={asOf < today() ? 'yellow' : 'blue'} icon={<Icon name="history" />} mb="md" role="status">
          {t(asOf < today() ? 'past' : 'future', { day: day(asOf) })}
          {asOf > today() && !sees('planned') ? ` ${t('notAnnounced')}` : ''}
        </Alert>
      ) : null}
      <Tabs
        value={tab.name}
        onChange={(name) => set({ tab: name === 'overview' ? undefined : (name ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List ref={strip} aria-label={t('sections')} className="profile-tabs no-print" mb="md">
          {tabs.map(({ name, title }) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, show }) => (
          <Tabs.Panel key={name} value={name}>
            {show()}
          </Tabs.Panel>
        ))}
      </Tabs>
      {changing === 'end' || changing === 'cancel' ? (
        <Suspense>{changing === 'end' ? <EndDialog onClose={close} /> : <CancelDialog onClose={close} />}</Suspense>
      ) : changing === 'handOver' ? (
        <Suspense>
          <HandoverDialog onClose={close} />
        </Suspense>
      ) : changing === 'rehire' ? (
        <Suspense>
          <RehireDialog onClose={close} />
        </Suspense>
      ) : changing === 'picture' ? (
        <PictureDialog onClose={close} />
      ) : changing ? (
        <ChangeDialog of={changing} onClose={close} />
      ) : null}
    </Page>
  )
}

function Head() {
  const { employee } = useProfile()
  const words = useSeniority(employee)
  const where = [employee.department?.name, employee.location?.name].filter(Boolean).join(' · ')
  return (
    <Group gap="lg" wrap="nowrap" align="center" mb="md" className="profile-head">
      <Face of={employee} size={80} />
      <div className="profile-line-words">
        <Group gap="xs">
          <Text fw={600}>{employee.position?.name ?? '–'}</Text>
          <StatusBadge of={employee} />
          {words ? <Badge color="gray">{words}</Badge> : null}
        </Group>
        <Text c="dimmed">{where}</Text>
        <Group gap="md" mt={4}>
          {employee.email ? (
            <Anchor href={`mailto:${employee.email}`} className="profile-way">
              <Icon name="mail" size={16} /> <span>{atSign(employee.email)}</span>
            </Anchor>
          ) : null}
          {employee.work_phone_number ? (
            <Anchor href={`tel:${employee.work_phone_number.replaceAll(/[^\d+]/g, '')}`} className="profile-way">
              <Icon name="phone" size={16} /> {employee.work_phone_number}
            </Anchor>
          ) : null}
        </Group>
      </div>
    </Group>
  )
}

/** Allows a line break before the @ of a long email address. */
const atSign = (email: string) => {
  const [name, host] = email.split('@')
  return (
    <>
      {name}
      <wbr />@{host}
    </>
  )
}

/** How long the person is or was employed, in the largest unit. */
function useSeniority({ tenure_since, termination_effective_on }: Employee): string {
  const t = useTexts(profileTexts)
  const { get } = useFilters()
  const day = get('as_of') || today()
  const end = termination_effective_on && termination_effective_on < day ? termination_effective_on : day
  if (!tenure_since || tenure_since > end) return ''
  const count = Math.floor((Date.parse(end) - Date.parse(tenure_since)) / 86_400_000)
  const months = Math.floor(count / 30.44)
  return months >= 12
    ? t('years', { count: Math.floor(count / 365.25) || 1 })
    : months > 0
      ? t('months', { count: months })
      : t('days', { count })
}

/** The slider from the first day, or the first entry before it, to the last known day. */
function Time() {
  const { id, employee, sees } = useProfile()
  const params = { employee_id: id }
  const read = useRead('GET /employees/{employee_id}/positions', { params })
  const pay = useRead('GET /employees/{employee_id}/salaries', { params }, { enabled: sees('compensation') })
  const changes = [
    ...(read.answer?.data ?? []).map(({ effective_from }) => effective_from),
    ...(pay.answer?.data ?? []).map(({ effective_on }) => effective_on),
  ]
  const days = [employee.hired_on, employee.termination_effective_on, employee.probation_ends_on, ...changes].filter(
    (one): one is string => Boolean(one),
  )
  const first = days.toSorted()[0] ?? employee.created_at.slice(0, 10)
  const last = [today(), ...days].sort().at(-1) as string
  return <AsOf first={first < today() ? first : today()} last={last} changes={days} />
}

function Actions({ onChoose }: { onChoose: (changing: JobDialog | ProfileDialog) => void }) {
  const t = useTexts(profileTexts)
  const { employee, sees } = useProfile()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<Icon name="edit" />} rightSection={<Icon name="expand" size={14} />}>
          {t('actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="chart" />} onClick={() => onChoose('job')}>
          {t('changeJob')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="time" />} onClick={() => onChoose('employment')}>
          {t('changeEmployment')}
        </Menu.Item>
        {sees('compensation') ? (
          <>
            <Menu.Item leftSection={<Icon name="money" />} onClick={() => onChoose('pay')}>
              {t('changePay')}
            </Menu.Item>
            <Menu.Item leftSection={<Icon name="plus" />} onClick={() => onChoose('otherPay')}>
              {t('addPay')}
            </Menu.Item>
          </>
        ) : null}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => onChoose('picture')}>
          {t('changePicture')}
        </Menu.Item>
        {employee.termination_effective_on ? (
          <Menu.Item leftSection={<Icon name="people" />} onClick={() => onChoose('handOver')}>
            {t('handOver')}
          </Menu.Item>
        ) : null}
        {employee.termination_effective_on && employee.termination_effective_on <= today() ? (
          <Menu.Item leftSection={<Icon name="person" />} onClick={() => onChoose('rehire')}>
            {t('rehire')}
          </Menu.Item>
        ) : null}
        {employee.termination_effective_on ? (
          <Menu.Item leftSection={<Icon name="undo" />} onClick={() => onChoose('cancel')}>
            {t('activate')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Icon name="leaveHouse" />} onClick={() => onChoose('end')}>
            {t('endEmployment')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function PictureDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const save = useWrite('PUT /employees/{id}/avatar', { done: t('pictureSaved'), onSuccess: onClose })
  return (
    <Dialog opened onClose={onClose} title={t('changePicture')}>
      <Form
        fields={UpdateEmployeeAvatar}
        of={['avatar']}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => save.mutate({ params: { id }, body: bodyOf(values) })}
      />
    </Dialog>
  )
}
