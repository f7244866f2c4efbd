import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { Notice } from '../parts/states.tsx'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts/i18n.ts'

/** Catches errors while drawing, so that only one screen fails. */
export class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const t = useTexts(shellTexts)
  const reload = <Button onClick={() => location.reload()}>{t('reload')}</Button>
  return <Notice icon="warning" title={t('brokenTitle')} text={t('brokenText')} action={reload} isAlert />
}
