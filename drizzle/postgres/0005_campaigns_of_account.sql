CREATE INDEX "firmware_campaigns_account_id_state_id" ON "firmware_campaigns" USING btree ("account_id","state","id");
