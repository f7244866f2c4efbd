/** Written by console/build/generate.ts from the list of operations: not by hand. */

import type { Fields } from '../fields.ts'

export const UpdateMe = {"name":{"type":"string","maxLength":255,"minLength":1},"locale":{"type":"string","nullable":true,"maxLength":35,"about":"The language of the pages, when it is not that of the browser"}} as const satisfies Fields
export const SaveView = {"screen":{"type":"string","required":true,"maxLength":50,"minLength":1,"about":"The screen whose list it is of"},"name":{"type":"string","required":true,"maxLength":100,"minLength":1},"search":{"type":"string","required":true,"nullable":true,"maxLength":4000,"about":"What stands in the address of the screen, without the question mark"}} as const satisfies Fields
export const ChangeOwnPassword = {"password":{"type":"string","required":true,"format":"text","maxLength":256,"minLength":1},"current_password":{"type":"string","nullable":true,"format":"text","maxLength":256}} as const satisfies Fields
export const ConfirmOneself = {"password":{"type":"string","format":"text","maxLength":256,"minLength":1},"code":{"type":"string","maxLength":40,"minLength":1,"about":"Six digits of the app, or a recovery code"},"ticket":{"type":"string","maxLength":4000,"about":"Of POST /sign_in/passkey_options"},"response":{"type":"object","about":"What `credential.toJSON()` gives"}} as const satisfies Fields
export const ConfirmTotp = {"code":{"type":"string","required":true,"maxLength":40,"minLength":1,"about":"Six digits of the app, or a recovery code"}} as const satisfies Fields
export const AddPasskey = {"ticket":{"type":"string","required":true,"maxLength":4000,"minLength":1},"name":{"type":"string","required":true,"maxLength":255,"minLength":1},"response":{"type":"object","required":true,"about":"What `credential.toJSON()` gives"}} as const satisfies Fields
export const UpdatePasskey = {"name":{"type":"string","maxLength":255,"minLength":1}} as const satisfies Fields
export const SeeNotifications = {"until":{"type":"string","format":"date-time","about":"The `at` of the newest that was shown: what has come since stays new. Now when not sent"}} as const satisfies Fields
