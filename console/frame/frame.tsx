import {
  ActionIcon,
  Alert,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  ScrollArea,
  Table,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useNetwork } from '@mantine/hooks'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { follow } from '../client/change-feed.ts'
import { send } from '../client/client.ts'
import { forgetMe, useMe } from '../client/me.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Face } from '../parts/person.tsx'
import { type Action, useActions } from '../shell/actions.ts'
import { Icon, type IconName, Mark } from '../shell/icons.tsx'
import { type Shortcut, shortcutsNow, useShortcuts } from '../shell/keys.ts'
import { focusWhenThere, Link, navigate, usePlace } from '../shell/router.tsx'
import { mayOpen, useScreens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { LOCALES, setLocale, useLocale, useTexts } from '../texts/i18n.ts'
import { Bell } from './bell.tsx'
import { Palette } from './palette.tsx'

/** The frame around all screens: navigation, account menu and global shortcuts. */

const LANGUAGES = { en: 'English', de: 'Deutsch', uk: 'Українська' }

/** The second letter of the shortcuts that open a screen, after `g`. */
const LETTERS: Record<string, string> = {
  home: 'h',
  people: 'p',
  orgChart: 'o',
  leave: 'l',
  approvals: 'a',
  time: 't',
  hiring: 'r',
  candidates: 'c',
  performance: 'e',
  dashboards: 'd',
  settings: 's',
}

export function Frame({ children }: { children: ReactNode }) {
  const t = useTexts(shellTexts)
  const nameOf = t as (key: string) => string
  const { permissions, user, session } = useMe()
  const { path } = usePlace()
  const { online } = useNetwork()
  const [isMenuOpen, menu] = useDisclosure()
  const [isPaletteOpen, palette] = useDisclosure()
  const [isHelpOpen, help] = useDisclosure()
  const { screens } = useScreens()
  const all = useMemo(() => screens.filter((one) => !one.isPublic && mayOpen(permissions, one)), [screens, permissions])
  const open = all.filter(({ inMenu }) => inMenu)

  // Follow the feed again after the user has signed in again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new session needs a new feed
  useEffect(() => follow(user.id), [user.id, session.id])
  useFocusOnArrival(path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(menu.close, [path])

  const keys: Shortcut[] = [
    { keys: 'mod+k', text: t('helpOpenPalette'), run: palette.open },
    { keys: '?', text: t('helpOpenHelp'), run: help.open },
    { keys: '/', text: t('helpSearch'), run: () => document.querySelector<HTMLElement>('[data-page-search]')?.focus() },
    ...open.flatMap(({ name, path: to }) =>
      LETTERS[name]
        ? [{ keys: `g ${LETTERS[name]}`, text: t('helpGo', { name: nameOf(name) }), run: () => navigate(to) }]
        : [],
    ),
  ]
  useShortcuts(keys)
  const helpText = t('help')
  useActions(useMemo<Action[]>(() => [{ name: helpText, icon: 'help', run: help.open }], [helpText, help.open]))

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a href="#content" className="skip">
        {t('skip')}
      </a>
      <AppShell.Header className="no-print">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={isMenuOpen}
            />
            <Link to="/" className="brand">
              <Mark />
              <span>Cadre</span>
            </Link>
          </Group>
          <Button
            variant="default"
            leftSection={<Icon name="search" />}
            rightSection={<Kbd size="xs">{t('paletteKeys')}</Kbd>}
            onClick={palette.open}
            visibleFrom="sm"
            className="search-button"
            fw={400}
          >
            {t('palette')}
          </Button>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={palette.open}
              hiddenFrom="sm"
              aria-label={t('paletteTitle')}
            >
              <Icon name="search" />
            </ActionIcon>
            <Bell />
            <PersonMenu onHelp={help.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="no-print" p="xs" aria-label={t('navigation')}>
        <ScrollArea>
          {open.map(({ path: to, name, icon }) => (
            <Link key={to} to={to} className="nav-link" aria-current={isWithin(to, path) ? 'page' : undefined}>
              <Icon name={icon} />
              <span>{nameOf(name)}</span>
            </Link>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {online ? null : (
          <Alert color="yellow" mb="md" role="status" className="offline">
            {t('offline')}
          </Alert>
        )}
        {children}
      </AppShell.Main>
      {isPaletteOpen ? <Palette all={all} onClose={palette.close} /> : null}
      {isHelpOpen ? <KeyHelp onClose={help.close} /> : null}
    </AppShell>
  )
}

const isWithin = (screen: string, path: string) => path === screen || (screen !== '/' && path.startsWith(`${screen}/`))

/** After navigation, moves the focus to the title, so that keyboard and screen reader start there. */
function useFocusOnArrival(path: string): void {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    return focusWhenThere('[data-page-title]', { preventScroll: true })
  }, [path])
}

function PersonMenu({ onHelp }: { onHelp: () => void }) {
  const t = useTexts(shellTexts)
  const { user, employee, account } = useMe()
  const { screens } = useScreens()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const locale = useLocale()
  const schemes: [typeof colorScheme, IconName, string][] = [
    ['light', 'sun', t('light')],
    ['dark', 'moon', t('dark')],
    ['auto', 'screen', t('system')],
  ]
  const signOut = async () => {
    await send('POST', '/sign_out').catch(() => undefined)
    forgetMe()
    navigate('/sign-in')
  }
  const choose = (next: string) => {
    void setLocale(next)
    void send('PUT', '/me', { body: { locale: next } }).catch(() => undefined)
  }
  const name = employee?.full_name ?? user.name
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl">
          <VisuallyHidden>{name}</VisuallyHidden>
          <Face of={employee ?? { full_name: user.name }} size={30} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {account.name}
        </Menu.Label>
        {screens.some(({ path }) => path === '/account') ? (
          <Menu.Item leftSection={<Icon name="person" />} onClick={() => navigate('/account')}>
            {t('account')}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<Icon name="help" />} onClick={onHelp}>
          {t('help')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('appearance')}</Menu.Label>
        {schemes.map(([scheme, icon, text]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} />}
            rightSection={scheme === colorScheme ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {text}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {LOCALES.map((one) => (
          <Menu.Item
            key={one}
            lang={one}
            rightSection={one === locale ? <Icon name="check" /> : null}
            onClick={() => choose(one)}
          >
            {LANGUAGES[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leaveHouse" />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts)
  const shown = (keys: string) => keys.replace('mod+k', t('paletteKeys')).split(' ')
  const rows = [...shortcutsNow(), { keys: 'Esc', text: t('helpClose') }]
  return (
    <Dialog opened onClose={onClose} title={t('help')}>
      <Table>
        <Table.Tbody>
          {rows.map(({ keys, text }) => (
            <Table.Tr key={keys}>
              <Table.Td>
                {shown(keys).map((key) => (
                  <Kbd key={key} mr={4}>
                    {key.length === 1 ? key.toUpperCase() : key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
