/** Written by console/build/generate.ts from the list of operations: not by hand. */

import type { Fields } from '../fields.ts'

export const CreateSkill = {"name":{"type":"string","required":true,"maxLength":255,"minLength":1}} as const satisfies Fields
export const UpdateSkill = {"name":{"type":"string","maxLength":255,"minLength":1}} as const satisfies Fields
export const CreateEmployeeSkill = {"level":{"type":"string","required":true,"values":["interested","basic","proficient","expert"],"about":"How well the employee has the skill"},"skill_id":{"type":"integer","required":true,"reference":"skills"}} as const satisfies Fields
export const UpdateEmployeeSkill = {"level":{"type":"string","values":["interested","basic","proficient","expert"],"about":"How well the employee has the skill"},"skill_id":{"type":"integer","reference":"skills"}} as const satisfies Fields
