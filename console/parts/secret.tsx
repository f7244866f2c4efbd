import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/** A password field with a button that shows the password. */
export function Secret(props: PasswordInputProps) {
  const t = useTexts(common)
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('showTyped') }} {...props} />
}
