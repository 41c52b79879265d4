/** The network of its command `node`: as many funded accounts as the benchmark has connections, at least. */
module.exports = {
  solidity: "0.8.28",
  networks: { hardhat: { accounts: { count: 64 }, loggingEnabled: false } },
};
