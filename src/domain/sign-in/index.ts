import type { Area } from '../../engine/area.ts'
import { recoveryCodes, userCredentials } from './credentials.ts'
import { linksEndWithTheAddress, signInLinks } from './links.ts'
import { ownOperations } from './my-sign-in.ts'
import { ownersStay, secondFactorStays } from './owners.ts'
import { passkeys } from './passkeys.ts'
import { providerTestOperations } from './provider-tests.ts'
import { identityProviders, providerOperations, userIdentities } from './providers.ts'
import { sessions, sessionsEndWithTheJob } from './sessions.ts'
import { signInOperations } from './sign-in.ts'
import { attemptsStayTold, failedSignInOperations, failedSignIns } from './sign-in-steps.ts'
import { accessOperations } from './user-access.ts'

export const signIn = {
  methods: {
    resources: [
      userCredentials,
      recoveryCodes,
      passkeys,
      identityProviders,
      userIdentities,
      sessions,
      signInLinks,
      failedSignIns,
    ],
    operations: [
      ...accessOperations,
      ...providerOperations,
      ...providerTestOperations,
      ...failedSignInOperations,
      ...signInOperations,
    ],
    consequences: [linksEndWithTheAddress, sessionsEndWithTheJob, ownersStay, secondFactorStays],
    guards: [attemptsStayTold],
  },
  myAccount: { operations: ownOperations },
} satisfies Record<string, Area>
