/** Written by console/build/generate.ts from the list of operations: not by hand. */

import type { Fields } from '../fields.ts'

export const UpdateMe = {"name":{"type":"string","maxLength":255,"minLength":1},"locale":{"type":"string","nullable":true,"maxLength":35,"about":"Language of the console; null uses the language of the browser"}} as const satisfies Fields
export const SaveView = {"screen":{"type":"string","required":true,"maxLength":50,"minLength":1,"about":"Name of the console screen to which the view belongs"},"name":{"type":"string","required":true,"maxLength":100,"minLength":1},"search":{"type":"string","required":true,"nullable":true,"maxLength":4000,"about":"Query string of the screen, without the question mark"}} as const satisfies Fields
export const ChangeOwnPassword = {"password":{"type":"string","required":true,"format":"text","maxLength":256,"minLength":1},"current_password":{"type":"string","nullable":true,"format":"text","maxLength":256}} as const satisfies Fields
export const ConfirmOneself = {"password":{"type":"string","format":"text","maxLength":256,"minLength":1,"about":"Your password"},"code":{"type":"string","maxLength":40,"minLength":1,"about":"Six-digit code from the authenticator app, or a recovery code"},"ticket":{"type":"string","maxLength":4000,"about":"Ticket from `POST /sign_in/passkey_options`, if you send a passkey"},"response":{"type":"object","about":"What the browser returned for the passkey: the result of `credential.toJSON()`"}} as const satisfies Fields
export const ConfirmTotp = {"code":{"type":"string","required":true,"maxLength":40,"minLength":1,"about":"Six-digit code from the authenticator app, or a recovery code"}} as const satisfies Fields
export const AddPasskey = {"ticket":{"type":"string","required":true,"maxLength":4000,"minLength":1},"name":{"type":"string","required":true,"maxLength":255,"minLength":1},"response":{"type":"object","required":true,"about":"What the browser returned for the passkey: the result of `credential.toJSON()`"}} as const satisfies Fields
export const UpdatePasskey = {"name":{"type":"string","maxLength":255,"minLength":1}} as const satisfies Fields
export const SeeNotifications = {"until":{"type":"string","format":"date-time","about":"Notifications up to this time become seen: send `at` of the newest one that you have shown. Now by default"}} as const satisfies Fields
