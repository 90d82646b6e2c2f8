/** What commands of `alerts.command` inherit: how to find programs, and nothing of Kairos's. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(['PATH', 'HOME', 'LANG'].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
