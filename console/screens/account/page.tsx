import {
  ActionIcon,
  Badge,
  Button,
  Code,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react'
import { call } from '../../client/client.ts'
import { isAtFields, useRead, useWrite } from '../../client/data.ts'
import { ChangeOwnPassword, UpdateMe } from '../../client/fields/me.ts'
import { reloadMe, useMe } from '../../client/me.ts'
import { notifyFailed } from '../../client/notices.ts'
import type { Passkey } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { Page } from '../../parts/page.tsx'
import { usePasswordProblem } from '../../parts/password.ts'
import { useProblems } from '../../parts/problems.ts'
import { useRoleName } from '../../parts/roles.ts'
import { Secret } from '../../parts/secret.tsx'
import { SessionList } from '../../parts/sessions.tsx'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { LOCALES, setLocale, useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { confirming, notifyOnFailure } from './confirming.tsx'
import { accountTexts } from './texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))
const QR_WIDTH = 220

/** The user's own account: name, language, colour scheme, sign-in methods and sessions. */
export default function AccountPage() {
  const t = useTexts(accountTexts)
  return (
    <Page title={t('title')}>
      <Stack gap="md" className="account">
        <Profile />
        <Password />
        <CodeOfApp />
        <Passkeys />
        <Identities />
        <Sessions />
      </Stack>
    </Page>
  )
}

function Card(props: { title: string; text?: string; aside?: ReactNode; children?: ReactNode }) {
  const { title, text, aside, children } = props
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb={children ? 'sm' : 0} gap="sm">
        <div className="account-words">
          <Title order={2} size="h4">
            {title}
          </Title>
          {text ? (
            <Text size="sm" c="dimmed" mt={2}>
              {text}
            </Text>
          ) : null}
        </div>
        {aside}
      </Group>
      {children}
    </Paper>
  )
}

const LANGUAGES = { en: 'English', de: 'Deutsch', uk: 'Українська' }

function Profile() {
  const { nameOf: roleName } = useRoleName()
  const t = useTexts(accountTexts)
  const words = useTexts(common)
  const { user, roles } = useMe()
  const [name, setName] = useState<unknown>(user.name)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const save = useWrite('PUT /me', {
    done: t('saved'),
    isFinal: true,
    onSuccess: ({ data }) => {
      void setLocale(data.user.locale)
      void reloadMe()
    },
  })
  const problems = useProblems(save.error, { name }, { at: ['name'] })
  return (
    <Card title={t('profile')}>
      <Stack gap="md">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({ body: { name: String(name) } })
          }}
        >
          <Group align="flex-end" gap="xs">
            <div className="account-words">
              <FieldFor
                name="name"
                label={t('name')}
                field={UpdateMe.name}
                value={name}
                onChange={setName}
                error={problems.name}
              />
            </div>
            <Button type="submit" disabled={name === user.name} loading={save.isPending}>
              {words('save')}
            </Button>
          </Group>
        </form>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <div>
            <Text size="sm" c="dimmed">
              {t('email')}
            </Text>
            <Text>{user.email}</Text>
          </div>
          <div>
            <Text size="sm" c="dimmed">
              {t('roles')}
            </Text>
            <Text>{roles.map(roleName).join(', ')}</Text>
          </div>
          <Select
            label={t('language')}
            placeholder={t('likeBrowser')}
            clearable
            data={LOCALES.map((value) => ({ value, label: LANGUAGES[value] }))}
            value={user.locale}
            onChange={(locale) => save.mutate({ body: { locale } })}
          />
          <div>
            <Text size="sm" fw={600} mb={4} id="appearance">
              {t('appearance')}
            </Text>
            <SegmentedControl
              aria-labelledby="appearance"
              fullWidth
              value={colorScheme}
              onChange={(value) => setColorScheme(value as typeof colorScheme)}
              data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(value) }))}
            />
          </div>
        </SimpleGrid>
      </Stack>
    </Card>
  )
}

function Password() {
  const t = useTexts(accountTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const { user, sign_in } = useMe()
  const { run } = confirming
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [current, setCurrent] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    setOpen(false)
    setPassword('')
    setCurrent('')
    setError(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const body = { password, ...(current ? { current_password: current } : {}) }
      await run(() => call('PUT /me/password', { body }), t('passwordChanged'))
      close()
    } catch (failure) {
      setError(failure)
      if (!isAtFields(failure)) notifyFailed(failure)
    } finally {
      setBusy(false)
    }
  }
  const problem = usePasswordProblem()
  return (
    <Card
      title={t('password')}
      text={sign_in.password ? t('passwordText') : t('passwordNone')}
      aside={
        isOpen ? null : (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t(sign_in.password ? 'change' : 'set')}
          </Button>
        )
      }
    >
      {isOpen ? (
        <form onSubmit={submit}>
          <Stack gap="sm" maw={420}>
            <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
            {sign_in.password ? (
              <Secret
                label={fieldName('current_password')}
                autoComplete="current-password"
                value={current}
                onChange={(event) => setCurrent(event.currentTarget.value)}
                error={problem(error, 'current_password')}
                required
                data-autofocus
              />
            ) : null}
            <Secret
              label={t('newPassword')}
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={problem(error)}
              maxLength={ChangeOwnPassword.password.maxLength}
              required
            />
            <Group gap="xs">
              <Button type="submit" loading={isBusy}>
                {words('save')}
              </Button>
              <Button variant="default" onClick={close}>
                {words('cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : null}
    </Card>
  )
}

function CodeOfApp() {
  const t = useTexts(accountTexts)
  const words = useTexts(common)
  const { sign_in } = useMe()
  const { confirmed, run } = confirming
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = () =>
    confirmed(async () => {
      setBegun((await call('POST /me/totp', {})).body.data)
    })
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await run(async () => {
        setCodes((await call('PUT /me/totp', { body: { code } })).body.data.recovery_codes)
      }, t('totpIsOn'))
      setBegun(undefined)
      setCode('')
      setError(undefined)
    } catch (failure) {
      setError(failure)
    }
  }
  const wrong = error ? t(isAtFields(error) ? 'codeWrong' : 'confirmFailed') : undefined
  const renew = () =>
    run(async () => {
      setCodes((await call('POST /me/recovery_codes', {})).body.data.recovery_codes)
    })
  return (
    <>
      <Card
        title={t('totp')}
        text={t('totpText')}
        aside={
          <Group gap="xs">
            <Badge color={sign_in.totp ? 'cadre' : 'gray'}>{t(sign_in.totp ? 'totpOn' : 'totpOff')}</Badge>
            {sign_in.totp ? (
              <ConfirmButton
                label={t('turnOff')}
                title={t('turnOffTitle')}
                text={t('turnOffText')}
                onConfirm={() => notifyOnFailure(run(() => call('DELETE /me/totp', {}), t('totpIsOff')))}
              />
            ) : begun ? null : (
              <Button variant="default" onClick={() => notifyOnFailure(begin())}>
                {t('turnOn')}
              </Button>
            )}
          </Group>
        }
      >
        {begun ? (
          <form onSubmit={(event) => void confirm(event)}>
            <Group align="flex-start" gap="lg">
              <Suspense fallback={<Skeleton width={QR_WIDTH} height={QR_WIDTH} />}>
                <QrCode text={begun.uri} label={t('qr')} width={QR_WIDTH} />
              </Suspense>
              <Stack gap="sm" className="account-words">
                <Text size="sm">{t('scan')}</Text>
                <CopyField label={t('secret')} value={begun.secret} />
                <TextInput
                  label={t('code')}
                  value={code}
                  onChange={(event) => setCode(event.currentTarget.value)}
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  error={wrong}
                  required
                  maw={200}
                />
                <Group gap="xs">
                  <Button type="submit">{t('confirm')}</Button>
                  <Button variant="default" onClick={() => setBegun(undefined)}>
                    {words('cancel')}
                  </Button>
                </Group>
              </Stack>
            </Group>
          </form>
        ) : null}
      </Card>
      {sign_in.totp || sign_in.passkeys > 0 ? (
        <Card
          title={t('recovery')}
          text={t('recoveryText')}
          aside={
            <Group gap="xs">
              <Badge color={sign_in.recovery_codes > 2 ? 'gray' : 'yellow'}>
                {t('recoveryLeft', { count: sign_in.recovery_codes })}
              </Badge>
              <Button variant="default" onClick={() => notifyOnFailure(renew())}>
                {t('recoveryNew')}
              </Button>
            </Group>
          }
        />
      ) : null}
      {codes ? <CodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </>
  )
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTexts(accountTexts)
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' })
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Dialog opened onClose={onClose} title={t('recovery')} closeOnClickOutside={false}>
      <Stack>
        <Text>{t('recoveryShown')}</Text>
        <SimpleGrid cols={2} spacing="xs" component="ul" className="account-codes">
          {codes.map((one) => (
            <li key={one}>
              <Code fz="md">{one}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={download}>
            {t('download')}
          </Button>
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Passkeys() {
  const t = useTexts(accountTexts)
  const words = useTexts(common)
  const { run } = confirming
  const { sign_in } = useMe()
  const read = useRead('GET /me/passkeys')
  const [open, setOpen] = useState<Passkey | 'new'>()
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  if (!('PublicKeyCredential' in window)) return null
  const begin = (one: Passkey | 'new') => {
    setName(one === 'new' ? t('thisDevice') : one.name)
    setOpen(one)
  }
  const add = () =>
    run(async () => {
      const { data } = (await call('POST /me/passkeys/options', {})).body
      const options = data.options as unknown as PublicKeyCredentialCreationOptionsJSON
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const made = await navigator.credentials.create({ publicKey }).catch(() => {
        throw new Error(t('passkeyFailed'))
      })
      const response = (made as PublicKeyCredential).toJSON() as unknown as Record<string, unknown>
      const added = (await call('POST /me/passkeys', { body: { ticket: data.ticket, name, response } })).body.data
      if (added.recovery_codes.length > 0) setCodes(added.recovery_codes)
    }, t('passkeyAdded'))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      if (open === 'new') await add()
      else if (open)
        await run(() => call('PUT /me/passkeys/{id}', { params: { id: open.id }, body: { name } }), t('passkeyRenamed'))
      setOpen(undefined)
    } catch (error) {
      notifyFailed(error)
    } finally {
      setBusy(false)
    }
  }
  const remove = (id: number) =>
    notifyOnFailure(run(() => call('DELETE /me/passkeys/{id}', { params: { id } }), t('passkeyRemoved')))
  return (
    <Card
      title={t('passkeys')}
      text={t('passkeysText')}
      aside={
        <Button variant="default" onClick={() => begin('new')}>
          {t('addPasskey')}
        </Button>
      }
    >
      <WhenLoaded of={read} loading={<Loading rows={1} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('passkeysNone')}
            </Text>
          ) : (
            <ul className="account-list">
              {data.map((one) => (
                <PasskeyLine key={one.id} of={one} onRename={() => begin(one)} onRemove={() => remove(one.id)} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'new' ? t('addPasskey') : (open?.name ?? '')}
      >
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <TextInput
              label={t('passkeyName')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
              maxLength={255}
              data-autofocus
            />
            {open === 'new' && !sign_in.totp && sign_in.passkeys === 0 ? (
              <Text size="sm">{t('passkeyStep')}</Text>
            ) : null}
            <Group justify="flex-end">
              <Button type="submit" loading={isBusy}>
                {open === 'new' ? t('addPasskey') : words('save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
      {codes ? <CodesDialog codes={codes} onClose={() => setCodes(undefined)} /> : null}
    </Card>
  )
}

function PasskeyLine({ of, onRename, onRemove }: { of: Passkey; onRename: () => void; onRemove: () => void }) {
  const t = useTexts(accountTexts)
  const { ago } = useFormats()
  const { name, created_at, last_used_at } = of
  return (
    <li>
      <div className="account-words">
        <Text fw={600}>{name}</Text>
        <Text size="xs" c="dimmed">
          {t('added', { when: ago(created_at) })} ·{' '}
          {last_used_at ? t('used', { when: ago(last_used_at) }) : t('neverUsed')}
        </Text>
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={t('renameOf', { name })} onClick={onRename}>
        <Icon name="edit" size={16} />
      </ActionIcon>
      <ConfirmButton
        label={t('remove')}
        title={t('removeTitle', { name })}
        text={t('removeText')}
        button={{ size: 'xs', variant: 'subtle', color: 'red' }}
        onConfirm={onRemove}
      />
    </li>
  )
}

function Identities() {
  const t = useTexts(accountTexts)
  const { ago } = useFormats()
  const { sign_in } = useMe()
  const { run } = confirming
  const read = useRead('GET /me/identities', {}, { enabled: sign_in.identities > 0 })
  if (sign_in.identities === 0) return null
  return (
    <Card title={t('identities')}>
      <WhenLoaded of={read} loading={<Loading rows={1} />}>
        {({ data }) => (
          <ul className="account-list">
            {data.map(({ id, provider, email, created_at }) => (
              <li key={id}>
                <div className="account-words">
                  <Text fw={600}>{provider.name}</Text>
                  <Text size="xs" c="dimmed">
                    {[email, t('added', { when: ago(created_at) })].filter(Boolean).join(' · ')}
                  </Text>
                </div>
                <ConfirmButton
                  label={t('unlink')}
                  title={t('unlinkTitle', { name: provider.name })}
                  text={t('unlinkText')}
                  button={{ size: 'xs', variant: 'subtle', color: 'red' }}
                  onConfirm={() =>
                    notifyOnFailure(
                      run(() => call('DELETE /me/identities/{id}', { params: { id } }), t('identityRemoved')),
                    )
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
    </Card>
  )
}

function Sessions() {
  const t = useTexts(accountTexts)
  const read = useRead('GET /me/sessions')
  const end = useWrite('DELETE /me/sessions/{id}', { done: t('ended'), isFinal: true })
  const endOthers = useWrite('DELETE /me/sessions', { done: t('endedOthers'), isFinal: true })
  return (
    <Card
      title={t('sessions')}
      aside={
        (read.answer?.data.length ?? 0) > 1 ? (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            {t('endOthers')}
          </Button>
        ) : null
      }
    >
      <WhenLoaded of={read} loading={<Loading rows={2} />}>
        {({ data }) => <SessionList of={data} isBusy={end.isPending} onEnd={(id) => end.mutate({ params: { id } })} />}
      </WhenLoaded>
    </Card>
  )
}
