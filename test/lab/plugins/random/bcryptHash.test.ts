import { strict as assert } from "node:assert";
import { bcryptHash } from "../../../../lab/plugins/random/bcryptHash.ts";

/** The salt that bcrypt writes as CCCCCCCCCCCCCCCCCCCCC. */
const SALT = Buffer.from("10410410410410410410410410410410", "hex");

// Expected values: libxcrypt's crypt(3) for the same password and salt.
describe("bcryptHash", () => {
  it("short password, cost 5 => as crypt(3)", () => {
    const expected = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    assert.equal(bcryptHash("U*U", SALT, 5), expected);
  });

  it("cost 10 => as crypt(3)", () => {
    const expected = "$2a$10$CCCCCCCCCCCCCCCCCCCCC.ioGdBrrMFSc9wyUtc5pIvrMc8yd7K2m";
    assert.equal(bcryptHash("hello world", SALT, 10), expected);
  });

  it("100 bytes of two-byte characters => as crypt(3), only the first 72 bytes count", () => {
    const expected = "$2a$04$CCCCCCCCCCCCCCCCCCCCC.V43mEqf.z1nQbIz7ALIelx/7nosNNBG";
    assert.equal(bcryptHash("é".repeat(50), SALT, 4), expected);
    assert.equal(bcryptHash("é".repeat(36), SALT, 4), expected);
  });
});
