CREATE INDEX "sessions_begun" ON "sessions" USING btree (account_id,(CASE WHEN started_at IS NULL THEN created_at ELSE started_at END),id,charge_point_id) WHERE state IN ('completed', 'failed');
