/** Settings that the page stores in this browser. If the browser stores nothing, they last until the page is left. */

const memory = new Map<string, string>()

function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? ''
  } catch {
    return memory.get(name) ?? ''
  }
}

function write(name: string, value: string): void {
  memory.set(name, value)
  try {
    if (value) localStorage.setItem(name, value)
    else localStorage.removeItem(name)
  } catch {
    // The browser allows no storage here.
  }
}

export const stored = {
  key: () => read('cadre-reference-key'),
  setKey: (key: string) => write('cadre-reference-key', key),
  language: () => read('cadre-reference-language'),
  setLanguage: (name: string) => write('cadre-reference-language', name),
  /** The colour scheme chosen in the console: light, dark, or undefined for the system's. */
  scheme: () => /^(light|dark)$/.exec(read('mantine-color-scheme-value'))?.[0],
}
