import { Badge, Button, Group, Table, Text } from '@mantine/core'
import type { Session } from '../client/operations.ts'
import { useFormats } from '../texts/formats.ts'
import { texts, useTexts } from '../texts/i18n.ts'

const sessionTexts = texts({
  en: {
    end: 'End session',
    endOf: 'End the session in {browser}',
    current: 'This session',
    seen: 'last active {when}',
    signedIn: 'signed in {when} with {way}',
    password: 'password',
    passkey: 'passkey',
    sso: 'single sign-on',
    link: 'link',
    unknown: 'an unknown browser',
    on: '{browser} on {system}',
  },
  de: {
    end: 'Sitzung beenden',
    endOf: 'Sitzung in {browser} beenden',
    current: 'Diese Sitzung',
    seen: 'zuletzt aktiv {when}',
    signedIn: 'angemeldet {when} mit {way}',
    password: 'Passwort',
    passkey: 'Passkey',
    sso: 'Single Sign-on',
    link: 'Link',
    unknown: 'unbekanntem Browser',
    on: '{browser} auf {system}',
  },
  uk: {
    end: 'Завершити сеанс',
    endOf: 'Завершити сеанс: {browser}',
    current: 'Поточний сеанс',
    seen: 'остання активність: {when}',
    signedIn: 'вхід {when}, спосіб: {way}',
    password: 'пароль',
    passkey: 'ключ доступу',
    sso: 'єдиний вхід',
    link: 'посилання',
    unknown: 'невідомий браузер',
    on: '{browser}, {system}',
  },
})

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
]
const nameIn = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** The sessions of a user: browser, system, address and time. */
export function SessionList(props: {
  of: readonly Session[]
  onEnd?: ((id: number) => void) | undefined
  isBusy?: boolean
}) {
  const { of, onEnd, isBusy = false } = props
  const t = useTexts(sessionTexts)
  const { ago } = useFormats()
  const nameOf = (agent: string | null) => {
    const browser = nameIn(BROWSERS, agent ?? '')
    const system = nameIn(SYSTEMS, agent ?? '')
    if (browser && system) return t('on', { browser, system })
    return browser ?? agent?.slice(0, 60) ?? t('unknown')
  }
  return (
    <Table verticalSpacing="xs">
      <Table.Tbody>
        {of.map(({ id, browser, address, way, current, signed_in_at, last_seen_at }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Group gap="xs">
                <Text size="sm" fw={600}>
                  {nameOf(browser)}
                </Text>
                {current ? <Badge>{t('current')}</Badge> : null}
              </Group>
              <Text size="xs" c="dimmed">
                {[
                  address,
                  t('signedIn', { when: ago(signed_in_at), way: t(way) }),
                  last_seen_at ? t('seen', { when: ago(last_seen_at) }) : undefined,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </Table.Td>
            <Table.Td ta="end">
              {onEnd && !current ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={isBusy}
                  aria-label={t('endOf', { browser: nameOf(browser) })}
                  onClick={() => onEnd(id)}
                >
                  {t('end')}
                </Button>
              ) : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
