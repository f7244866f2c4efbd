import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DEMO_PASSWORD } from '../../src/demo/sign-ins.ts'
import { launch } from './browser.ts'

/**
 * Takes the pictures of the documents: `npm run pictures -- http://localhost:3000`, of a service that runs on the demo
 * company. With names behind the address, only these.
 */

type Picture = { name: string; path: string; as?: 'HR' | 'Manager' | 'Employee' | 'Recruiter'; isDark?: boolean }

const PICTURES: Picture[] = [
  { name: 'home', path: '/' },
  { name: 'people', path: '/people', isDark: true },
  { name: 'profile', path: '/people/2' },
  { name: 'org-chart', path: '/org', isDark: true },
  { name: 'dashboards', path: '/dashboards' },
  { name: 'leave', path: '/leave/calendar', as: 'Manager' },
  { name: 'time', path: '/time', as: 'Employee' },
  { name: 'hiring', path: '/hiring/1', as: 'Recruiter' },
  { name: 'candidate', path: '/candidates/1', as: 'Recruiter' },
  { name: 'performance', path: '/performance' },
  { name: 'settings', path: '/settings' },
  { name: 'careers', path: '/careers' },
]

const EMAILS = {
  HR: 'jakob.schroeder@example.com',
  Manager: 'lea.richard@example.com',
  Employee: 'jasmine.lopez@example.com',
  Recruiter: 'emil.vogel@example.com',
}

const [address = 'http://localhost:3000', ...names] = process.argv.slice(2)
const browser = await launch()
const folder = join(import.meta.dirname, '../../docs/pictures')
try {
  for (const { name, path, as = 'HR', isDark } of PICTURES) {
    if (names.length > 0 && !names.includes(name)) continue
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: isDark ? 'dark' : 'light',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(`${address}/sign-in`)
    await signIn(page, EMAILS[as])
    await page.goto(address + path)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = await asWebp(page, await page.screenshot())
    writeFileSync(join(folder, `${name}.webp`), bytes)
    console.log(`${name}.webp, ${Math.round(bytes.length / 1024)} KB`)
    await context.close()
  }
} finally {
  await browser.close()
}

async function signIn(page: Page, email: string): Promise<void> {
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/api/public/v3/sign_in', { method: 'POST', headers, body })).status
    },
    JSON.stringify({ email, password: DEMO_PASSWORD }),
  )
  if (status !== 200)
    throw new Error(`${email} cannot sign in (${status}): is the service running on the demo company?`)
}

/** The browser encodes it: it needs no other program. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const address = await blank.evaluate(
    async (source) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: picture.width, height: picture.height })
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      return canvas.toDataURL('image/webp', 0.8)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(address.split(',')[1] as string, 'base64')
}
