import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** A browser on this machine: a program, one that Playwright finds by its name, or the one in the packages. */
export type FoundBrowser = { executablePath: string } | { channel: 'chrome' } | { isPackaged: true }

const MISSING =
  'Page tests need a browser. Install Chromium (Debian: apt install chromium) or set CHROMIUM=/path/to/it.'

/** Which browser page tests would run, or an error that says what to do. Fast: it starts and unpacks nothing. */
export function findBrowser(): FoundBrowser {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM) {
    if (!isProgram(CHROMIUM)) throw new Error(`CHROMIUM=${CHROMIUM} is not a program that can be run. ${MISSING}`)
    return { executablePath: CHROMIUM }
  }
  if (process.platform === 'linux' && process.arch === 'x64' && packagedFolder()) return { isPackaged: true }
  // The first of them has no windows, and takes a fifth less time.
  for (const name of [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ])
    for (const folder of PATH.split(delimiter)) {
      const executablePath = join(folder, name)
      if (folder && isProgram(executablePath)) return { executablePath }
    }
  if (hasChrome()) return { channel: 'chrome' }
  throw new Error(MISSING)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where installers put Chrome on systems on which it is not in the PATH. */
function hasChrome(): boolean {
  const { ProgramFiles = '', 'ProgramFiles(x86)': older = '', LOCALAPPDATA = '', HOME = '' } = process.env
  const mac = 'Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  const folders = process.platform === 'win32' ? [ProgramFiles, older, LOCALAPPDATA].filter(Boolean) : []
  return process.platform === 'darwin'
    ? existsSync(`/${mac}`) || existsSync(join(HOME, mac))
    : folders.some((folder) => existsSync(join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')))
}

/** Where the packages keep a browser, if they brought one. */
export function packagedFolder(): string | undefined {
  try {
    return join(dirname(require.resolve('@sparticuz/chromium')), '..', 'bin')
  } catch {
    return undefined
  }
}
