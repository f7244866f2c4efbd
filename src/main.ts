/**
 * Where every process begins. The signal that has workers replaced (`SIGUSR2`) would end a process that does not listen to it:
 * one that is still starting, and each worker when it is sent to all. So it is heard before the rest is loaded.
 */
process.on('SIGUSR2', () => undefined)

await import('./command-line.ts')
