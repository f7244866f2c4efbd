/** Written by console/build/generate.ts from the list of operations: not by hand. */

import type { Fields } from '../fields.ts'

export const SignInByPassword = {"email":{"type":"string","required":true,"format":"email","maxLength":320},"password":{"type":"string","required":true,"format":"text","maxLength":256,"minLength":1,"about":"Password"}} as const satisfies Fields
export const SignInByCode = {"ticket":{"type":"string","required":true,"maxLength":4000,"minLength":1,"about":"Ticket from the previous step"},"code":{"type":"string","required":true,"maxLength":40,"minLength":1,"about":"Six-digit code from the authenticator app, or a recovery code"}} as const satisfies Fields
export const AskForPasskey = {"ticket":{"type":"string","maxLength":4000,"minLength":1,"about":"Ticket from the previous step"}} as const satisfies Fields
export const SignInByPasskey = {"ticket":{"type":"string","required":true,"maxLength":4000,"minLength":1,"about":"Ticket from the previous step"},"response":{"type":"object","required":true,"about":"What the browser returned for the passkey: the result of `credential.toJSON()`"}} as const satisfies Fields
export const SignInByProvider = {"provider_id":{"type":"integer","required":true,"reference":"identity_providers"},"return_to":{"type":"string","nullable":true,"maxLength":1000,"about":"Console path to open after the sign-in"},"again":{"type":"boolean","about":"Whether the provider must ask the user to sign in there again, to confirm their identity; false by default"}} as const satisfies Fields
export const ProviderAnswer = {"query":{"type":"string","required":true,"maxLength":8000,"minLength":1}} as const satisfies Fields
export const LinkToken = {"token":{"type":"string","required":true,"maxLength":200,"minLength":1,"about":"Secret part of the link, after the `#`"}} as const satisfies Fields
export const UseLink = {"token":{"type":"string","required":true,"maxLength":200,"minLength":1,"about":"Secret part of the link, after the `#`"},"password":{"type":"string","required":true,"format":"text","maxLength":256,"minLength":1},"email":{"type":"string","nullable":true,"format":"email","maxLength":320},"name":{"type":"string","nullable":true,"maxLength":255}} as const satisfies Fields
export const AskForReset = {"email":{"type":"string","required":true,"format":"email","maxLength":320}} as const satisfies Fields
