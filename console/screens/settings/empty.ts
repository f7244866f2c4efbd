import { useLocale, useTexts } from '../../texts/i18n.ts'
import { emptyTexts } from './empty-texts.ts'
import type { SectionName } from './section-texts.ts'

/** The text of an empty section. Sections with a page of their own have their own texts. */
export function useEmpty(section: SectionName): { title: string; next: string } | undefined {
  const say = useTexts(emptyTexts) as unknown as (key: string) => string
  const known = emptyTexts[useLocale()]
  return section in known ? { title: say(section), next: say(`${section}_next`) } : undefined
}
