import { useMediaQuery } from '@mantine/hooks'
import { type ComponentType, useEffect, useRef } from 'react'
import { permits, useMe } from '../../client/me.ts'
import { Page } from '../../parts/page.tsx'
import { Records } from '../../parts/records/list.tsx'
import { Forbidden, NotFound } from '../../parts/states.tsx'
import { PHONE } from '../../parts/table.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import type { ScreenProps } from '../../shell/screens.ts'
import { type Locale, useTexts } from '../../texts/i18n.ts'
import { useAddLabel } from './add-texts.ts'
import { AuditSection, ReadsSection } from './audit.tsx'
import { CompanySection, HiringSection } from './company.tsx'
import { useEmpty } from './empty.ts'
import { ErasureSection } from './erasure.tsx'
import { KeysSection } from './keys.tsx'
import { ProvidersSection } from './providers.tsx'
import { RolesSection } from './roles.tsx'
import { groupTexts, sectionTexts } from './section-texts.ts'
import { type CustomSection, GROUPS, type Section, type SectionProps } from './sections.ts'
import { settingsTexts } from './texts.ts'
import { UsersSection } from './users.tsx'

const OWN: Record<CustomSection, ComponentType<SectionProps>> = {
  company: CompanySection,
  hiring: HiringSection,
  users: UsersSection,
  roles: RolesSection,
  keys: KeysSection,
  providers: ProvidersSection,
  audit: AuditSection,
  reads: ReadsSection,
  erasure: ErasureSection,
}

const homeOf = ({ path }: Section) => `/settings${path}`

/** All sections with their names, for the command palette. */
export const sectionsIn = (locale: Locale) =>
  GROUPS.flatMap(({ sections }) =>
    sections.map((one) => ({ name: String(sectionTexts[locale][one.name]), path: homeOf(one), needs: one.needs })),
  )

/** The sections that the user may read. Groups without any are left out. */
export function useSections() {
  const { permissions } = useMe()
  return GROUPS.map((group) => ({
    ...group,
    sections: group.sections.filter(({ needs }) => needs.some((one) => permits(permissions, one))),
  })).filter(({ sections }) => sections.length > 0)
}

/** The settings: a menu, and the section in the address. On a phone the menu is a page of its own. */
export default function SettingsPage({ params }: ScreenProps) {
  const t = useTexts(settingsTexts)
  const name = useTexts(sectionTexts)
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const groups = useSections()
  const rest = `/${params.rest ?? ''}`
  const all = GROUPS.flatMap(({ sections }) => sections)
  const section = all.find(({ path }) => rest === path || rest.startsWith(`${path}/`))
  const isAllowed = groups.some(({ sections }) => sections.some(({ path }) => path === section?.path))
  const [first] = groups[0]?.sections ?? []
  const isStart = rest === '/' && !isPhone
  useEffect(() => {
    if (isStart && first) navigate(homeOf(first), { replace: true })
  }, [isStart, first])

  if (rest === '/')
    return <Page title={t('title')}>{isPhone ? <Menu groups={groups} current={undefined} /> : null}</Page>
  const title = section ? name(section.name) : t('title')
  return (
    <div className="settings">
      {isPhone ? null : (
        <aside className="settings-side no-print">
          <Menu groups={groups} current={section?.path} />
        </aside>
      )}
      <div className="settings-content">
        <Page
          title={title}
          isWide
          before={
            isPhone ? (
              <Link to="/settings" className="settings-back">
                <Icon name="left" size={16} />
                {t('back')}
              </Link>
            ) : null
          }
        >
          {!section ? (
            <NotFound />
          ) : isAllowed ? (
            <SectionAt
              key={section.path}
              section={section}
              title={title}
              home={homeOf(section)}
              openId={rest.slice(section.path.length + 1)}
            />
          ) : (
            <Forbidden />
          )}
        </Page>
      </div>
    </div>
  )
}

function SectionAt({ section, ...rest }: { section: Section } & SectionProps) {
  const empty = useEmpty(section.name)
  const addLabel = useAddLabel(section.name)
  if ('kind' in section) return <Records kind={section.kind} empty={empty} addLabel={addLabel} {...rest} />
  const Own = OWN[section.own]
  return <Own {...rest} />
}

function Menu({ groups, current }: { groups: ReturnType<typeof useSections>; current: string | undefined }) {
  const t = useTexts(settingsTexts)
  const groupName = useTexts(groupTexts)
  const name = useTexts(sectionTexts)
  const menu = useRef<HTMLElement>(null)
  // The menu is longer than the window, so it scrolls to the open section.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another section is opened
  useEffect(() => {
    const [side, open] = [menu.current?.parentElement, menu.current?.querySelector('[aria-current]')]
    if (!side || !open) return
    const [around, within] = [side.getBoundingClientRect(), open.getBoundingClientRect()]
    if (within.top < around.top || within.bottom > around.bottom)
      side.scrollBy(0, within.top - around.top - around.height / 3)
  }, [current])
  return (
    <nav ref={menu} aria-label={t('menu')} className="settings-menu">
      {groups.map((group) => (
        <div key={group.name} className="settings-group">
          <div className="settings-heading" id={`settings-${group.name}`}>
            {groupName(group.name)}
          </div>
          <ul aria-labelledby={`settings-${group.name}`}>
            {group.sections.map((section) => (
              <li key={section.path}>
                <Link
                  to={homeOf(section)}
                  className="settings-link"
                  aria-current={section.path === current ? 'page' : undefined}
                >
                  {name(section.name)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
