/** Lists the tests that passed at their second try alone: each is a race, of the test or of the daemon, and waits for its mend. */
export default class SecondTries {
  tests = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.tests.push({ name: `${test.module.relativeModuleId} > ${test.fullName}`, errors: test.result().errors ?? [] });
  }

  onTestRunEnd() {
    console.log(`tests that passed at their second try alone: ${this.tests.length}`);
    for (const { name, errors } of this.tests) {
      console.log(`SECOND TRY: ${name}`);
      for (const { message } of errors) console.log(`  the first ended with: ${message.split('\n')[0]}`);
    }
  }
}
